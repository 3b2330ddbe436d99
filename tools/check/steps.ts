/**
 * Everything that must hold before a change is taken: the one list behind `npm run check` and `.ci/run`. What takes
 * longer stands in tools/campaign/parts.ts.
 */
export interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** What CI runs in its place. */
  readonly inCi?: Step["command"];
  /** Takes minutes or wants the whole machine; a person plays it by hand. */
  readonly onlyInCi?: true;
  /** The files that it reads. With `--changed` it is left out when none of them was changed. */
  readonly reads?: RegExp;
}

const npm = (script: string, ...rest: readonly string[]): Step["command"] => [
  "npm",
  "run",
  "--silent",
  script,
  ...(rest.length === 0 ? [] : ["--", ...rest]),
];

export const testStep = "tests";
/** Judges what the others have cost. */
export const budgetStep = "processor budget";

const code = /\.(ts|tsx|mts|mjs|json)$/;

/** The code as it lies there: seconds each, of which the tests leave some over while they wait. */
const readings: readonly Step[] = [
  { name: "format and lint", command: npm("check:format") },
  { name: "types", command: npm("check:types"), reads: code },
  { name: "import boundaries", command: npm("check:boundaries"), reads: code },
  { name: "unused code", command: npm("check:unused"), reads: code },
  { name: "tidy", command: npm("check:tidy") },
  { name: "migrations", command: npm("check:migrations"), reads: /^(server|tools\/migrations)\// },
  { name: "generated files", command: npm("check:generated"), reads: /^(server|sdk|docs|tools\/generate)\// },
];

/** The command for what was changed since a commit; undefined where the change concerns nothing that the step reads. */
export function commandFor(
  { name, command, reads }: Step,
  since: string,
  files: readonly string[],
): Step["command"] | undefined {
  if (name === testStep) return [...command, "--", `--changed=${since}`];
  return reads === undefined || files.some((file) => reads.test(file)) ? command : undefined;
}

/** Stages follow each other. The lanes of a stage run at the same time, the steps of a lane one after the other. */
export const stages: readonly (readonly (readonly Step[])[])[] = [
  // The tests would look for a browser by themselves, but a machine that has none is better told apart from a page that
  // does not work.
  [[{ name: "browser", command: ["node", "tools/bootstrap.mjs", "run", "tools/ensure-browser.ts"], onlyInCi: true }]],
  [
    [
      // CI adds what of tests/ protects every change, in the same run, so that both cores are busy until the end.
      { name: testStep, command: ["npm", "test"], inCi: npm("test:all") },
      { name: "documented replies", command: npm("check:replies"), onlyInCi: true },
    ],
    // API, worker and PostgreSQL are killed at random under load; most of its time it waits for leases to run out.
    // Everything else of the kind is played by `npm run campaign`.
    [...readings, { name: "crash campaign", command: npm("test:crash", "--rounds", "5"), onlyInCi: true }],
  ],
  [[{ name: budgetStep, command: npm("check:budget") }]],
];
