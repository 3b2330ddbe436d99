/**
 * What the checks of every change may cost the processors. Time on the clock says little on a machine that does other
 * work as well, so what is counted is processor time, and that is taken at the pace of the machine on which it was set.
 */
import { join } from "node:path";

/** Where test files and steps write down what they cost; a run begins by emptying it. */
export const costsFolder = join(import.meta.dirname, "..", "..", "test-results", "costs");

/** Seconds of one processor, children included, about half as much again as what was measured. */
export const stepBudgets: Readonly<Record<string, number>> = {
  browser: 10,
  tests: 1_500,
  "documented replies": 5,
  "format and lint": 30,
  types: 40,
  "import boundaries": 10,
  "unused code": 40,
  tidy: 20,
  migrations: 20,
  "generated files": 90,
  "crash campaign": 200,
};

/** A file of tests that costs more than this stands in the list below, with its reason. */
export const fileBudget = 10;

export const dearFiles: Readonly<Record<string, string>> = {};

export interface Costs {
  readonly files: ReadonlyMap<string, number>;
  readonly steps: ReadonlyMap<string, number>;
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
  const unexplained = [...files].flatMap(([file, seconds]) => {
    if (atReference(seconds) <= fileBudget || file in dear) return [];
    return [
      `${file}: ${atReference(seconds)} s of processor time, ${fileBudget} s allowed. Make it cheaper, move it to the ` +
        "campaigns (*.campaign.ts), or list it with a reason in tools/budget/budget.ts.",
    ];
  });
  return [...tooDear, ...unexplained];
}

/** The dearest first. */
export function dearest(files: Costs["files"], count: number): [file: string, seconds: number][] {
  return [...files].sort(([, one], [, other]) => other - one).slice(0, count);
}
