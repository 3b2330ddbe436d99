/**
 * What is too long for every change: the one list behind `npm run campaign`. A part is a program of its own, or the
 * files called `*.campaign.ts` in a folder of tests/. A folder of tests belongs to exactly one part.
 */
export interface Part {
  readonly name: string;
  /** What holds when it passes. */
  readonly shows: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

const npm = (script: string, ...rest: readonly string[]): Part["command"] => [
  "npm",
  "run",
  "--silent",
  script,
  "--",
  ...rest,
];

const bootstrap = ["node", "tools/bootstrap.mjs", "test"] as const;

/** The campaign's files of one folder. */
const tests = (folder: string): Part["command"] => [...bootstrap, "--project=campaign", `tests/${folder}/`];

export const parts: readonly Part[] = [
  {
    name: "browser",
    shows: "every walk through the pages, on two widths, light and dark, without a finding of axe",
    command: [...bootstrap, "--project=campaign", "--project=product", "tests/browser/"],
    env: { JARA_LOOKS: "all" },
  },
  { name: "processes", shows: "whole servers started, killed, restored and short of room", command: tests("e2e") },
  { name: "sdk", shows: "the packed SDK in empty projects, with every runtime that is there", command: tests("sdk") },
  { name: "cli", shows: "the packed command, terminals, completions, lost replies", command: tests("cli") },
  { name: "examples", shows: "every example shop against the API", command: tests("examples") },
  {
    name: "documents",
    shows: "the OpenAPI documents under two linters, and the clients that two generators make of them",
    command: tests("document"),
  },
  { name: "properties", shows: "rules about money over long random sequences", command: tests("properties") },
  { name: "volume", shows: "what questions cost in full tables", command: tests("volume") },
  { name: "year", shows: "a year of a loan, and one story told twice, byte for byte", command: tests("determinism") },
  {
    name: "determinism",
    shows: "the same story in several sandboxes at once, byte for byte",
    command: npm("test:determinism", "--runs", "40", "--lanes", "4"),
  },
  { name: "rails", shows: "payouts and bills while providers misbehave", command: tests("rails") },
  {
    name: "rails-long",
    shows: "thousands of payouts through each provider's twin, a third of the calls misbehaving",
    command: npm("test:rails", "--orders", "2000"),
  },
  { name: "remote", shows: "the checks that run against real providers, on twins", command: tests("remote") },
  {
    name: "stalls",
    shows: "tests whose processes are stopped at random",
    command: npm("test:stalls", "tests/cli/listen.test.ts", "server/src/webhooks", "server/src/platform/work"),
  },
  {
    name: "hours",
    shows: "every test of every change at midnight, a month's end, on 29 February and at the turn of a year, in Lagos",
    command: npm("test:hours"),
  },
  {
    name: "crash",
    shows: "API, worker and PostgreSQL killed at random: nothing lost, nothing doubled",
    command: npm("test:crash", "--rounds", "20"),
  },
  {
    name: "crash-together",
    shows: "the same with API and worker in one process, as they run by default",
    command: npm("test:crash", "--rounds", "20", "--together"),
  },
  {
    name: "crash-live",
    shows: "the same with a live bank that misbehaves",
    command: npm("test:crash:live", "--rounds", "20"),
  },
  {
    name: "crash-servers",
    shows: "two servers killed in turn: every webhook arrives, with the same bytes",
    command: npm("test:crash:servers", "--kills", "20"),
  },
  {
    name: "restore",
    shows: "a moment brought back from backups, in the middle of payouts",
    command: npm("test:restore"),
  },
  { name: "upgrade", shows: "the last release upgraded under load", command: npm("test:upgrade", "--short") },
  {
    name: "cluster",
    shows: "three databases under Patroni, parts of them lost",
    command: npm("cluster", "drill", "rolling,primary", "--short", "--install"),
  },
];
