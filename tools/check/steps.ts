/** Everything that must hold before a change is taken: the one list behind `npm run check` and `.ci/run`. */
export interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** What CI runs in its place. */
  readonly inCi?: Step["command"];
  /** Takes minutes or wants the whole machine; a person plays it by hand. */
  readonly onlyInCi?: true;
}

const npm = (script: string, ...rest: readonly string[]): Step["command"] => [
  "npm",
  "run",
  "--silent",
  script,
  ...(rest.length === 0 ? [] : ["--", ...rest]),
];

export const testStep = "tests";

/** The code as it lies there: seconds each, of which the tests leave some over while they wait. */
const readings: readonly Step[] = [
  { name: "format and lint", command: npm("check:format") },
  { name: "types", command: npm("check:types") },
  { name: "import boundaries", command: npm("check:boundaries") },
  { name: "unused code", command: npm("check:unused") },
  { name: "tidy", command: npm("check:tidy") },
  { name: "migrations", command: npm("check:migrations") },
  { name: "generated files", command: npm("check:generated") },
];

/** Stages follow each other. The lanes of a stage run at the same time, the steps of a lane one after the other. */
export const stages: readonly (readonly (readonly Step[])[])[] = [
  // The tests would look for a browser by themselves, but a machine that has none is better told apart from a page that
  // does not work.
  [[{ name: "browser", command: ["node", "tools/bootstrap.mjs", "run", "tools/ensure-browser.ts"], onlyInCi: true }]],
  [
    [
      // CI runs both suites in one go, so that both cores are busy until the end; a person runs the quick one.
      { name: testStep, command: ["npm", "test"], inCi: npm("test:all") },
      { name: "documented replies", command: npm("check:replies"), onlyInCi: true },
    ],
    readings,
  ],
  // API, worker and PostgreSQL are killed at random under load, which this one wants the whole machine for; any number
  // of rounds can be played by hand.
  [[{ name: "crash campaign", command: npm("test:crash", "--rounds", "20"), onlyInCi: true }]],
  [
    [
      { name: "crash campaign, live", command: npm("test:crash:live", "--rounds", "5"), onlyInCi: true },
      // The last release is upgraded under load; a shallow clone without its commit says so and leaves it out.
      { name: "upgrade under load", command: npm("test:upgrade", "--short"), onlyInCi: true },
    ],
    [
      // Two whole servers are killed in turn; every webhook arrives, every attempt at it with the same bytes.
      { name: "crash campaign, two servers", command: npm("test:crash:servers", "--kills", "2"), onlyInCi: true },
      // The disk is thrown away in the middle of payouts, and a moment restored from backups.
      { name: "restore campaign", command: npm("test:restore"), onlyInCi: true },
    ],
  ],
  // Three databases under Patroni, from Debian's packages: processes are restarted in turn, then the primary is killed.
  // A machine that cannot get the packages says so and leaves it out.
  [
    [
      {
        name: "cluster drills",
        command: npm("cluster", "drill", "rolling,primary", "--short", "--install"),
        onlyInCi: true,
      },
    ],
  ],
];
