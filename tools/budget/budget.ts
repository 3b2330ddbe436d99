/**
 * What the checks of every change may cost the processors. Time on the clock says little on a machine that does other
 * work as well, so what is counted is processor time, and that is taken at the pace of the machine on which it was set.
 */
import { join } from "node:path";

/** Where test files and steps write down what they cost; a run begins by emptying it. */
export const costsFolder = join(import.meta.dirname, "..", "..", "test-results", "costs");

/**
 * Seconds of one processor, children included, at the pace that is measured while all of them run at the same time
 * (`pace.ts`), and with a third on top of the most that was measured.
 */
export const stepBudgets: Readonly<Record<string, number>> = {
  browser: 45,
  tests: 1_500,
  "documented replies": 5,
  "format and lint": 25,
  types: 85,
  "import boundaries": 23,
  "unused code": 12,
  tidy: 12,
  migrations: 5,
  "generated files": 20,
  "crash campaign": 120,
};

/** A file of tests that costs more than this stands in the list below, with its reason. */
const fileBudget = 10;

/** Stands among the files for the machine's pace. */
export const paceName = "pace";

export const dearFiles: Readonly<Record<string, string>> = {
  "server/src/sandbox/steering-laws.test.ts":
    "ten random lives of payouts and bills, each worked through to its end, in which our books and the rails' agree",
  "server/src/start/tasks.test.ts": "stops and kills worker processes in the middle of their work: that is its subject",
  "tests/browser/console-operator.test.ts": "opens each of the operator's rooms once, and ten records that it makes",
  "tests/browser/console-people.test.ts": "signs people in by password, code and passkey, on pages of their own",
  "tests/browser/console-rooms.test.ts": "opens each of a merchant's rooms once, with what its forms do",
  "server/src/public-files.test.ts": "measures what many callers of large public documents cost",
  "server/src/body-cost.test.ts": "measures what bodies of every shape cost",
  "server/src/console/second-factor.test.ts": "hashes passwords and recovery codes, which is made to be dear",
  "server/src/start/local-trial.test.ts": "makes the records of every operation of the reference through the API",
  "tests/cli/every-command.test.ts": "runs every command of the program once against a server",
  "tests/sdk/checkout.test.ts": "plays a hosted checkout to each of its ends, with card, code and repayments",
  "tests/properties/requests.test.ts": "plays random requests in random orders, which find what no list of cases does",
  "tests/cli/listen.test.ts": "forwards webhooks by a process of its own, which loses its server and finds it again",
  "tests/cli/trigger.test.ts": "plays every flow until its event has come, by the program that people run",
  "tests/e2e/examples.test.ts": "runs every shell block of the README and the guides, most of them with curl and jara",
  "tests/e2e/start-and-stop.test.ts": "starts, stops and kills whole servers: that is its subject",
};

export interface Costs {
  readonly files: ReadonlyMap<string, number>;
  readonly steps: ReadonlyMap<string, number>;
}

/** The files over their budget that have no reason in the list. */
export function filesOver(files: Costs["files"], pace: number, dear: typeof dearFiles = dearFiles): string[] {
  return [...files].filter(([file, seconds]) => seconds / pace > fileBudget && !(file in dear)).map(([file]) => file);
}

/** Everything that is over its budget, in sentences; `pace` is 2 on a machine that takes twice as long as the reference. */
export function findOverruns(
  { files, steps }: Costs,
  pace: number,
  { budgets = stepBudgets, dear = dearFiles }: { budgets?: typeof stepBudgets; dear?: typeof dearFiles } = {},
): string[] {
  const atReference = (seconds: number) => Math.round(seconds / pace);
  const tooDear = [...steps].flatMap(([name, seconds]) => {
    const budget = budgets[name];
    if (budget === undefined) return [`${name}: the step has no budget. Give it one in tools/budget/budget.ts.`];
    if (atReference(seconds) <= budget) return [];
    return [`${name}: ${atReference(seconds)} s of processor time, ${budget} s allowed.`];
  });
  const unexplained = filesOver(files, pace, dear).map((file) => {
    const seconds = Math.round(((files.get(file) ?? 0) / pace) * 10) / 10;
    const advice = "Make it cheaper, move it to the campaigns (*.campaign.ts), or list it with a reason in";
    return `${file}: ${seconds} s of processor time, ${fileBudget} s allowed. ${advice} tools/budget/budget.ts.`;
  });
  return [...tooDear, ...unexplained];
}

/** The dearest first. */
export function dearest(files: Costs["files"], count: number): [file: string, seconds: number][] {
  return [...files].sort(([, one], [, other]) => other - one).slice(0, count);
}
