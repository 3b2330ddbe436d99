import { expect, test } from "vitest";
import { commandOf, type Run, withFigures } from "./record-figures.ts";

const run = (command: string, ...values: number[]): Run => ({
  command,
  about: "2026-11-17, commit abc.",
  legs: [{ name: "closed loop", unit: "orders/s", values }],
  goals: [
    { name: "whole, a second", value: values[0] ?? 0, atLeast: 1000 },
    { name: "WAL", value: 5890, atMost: 6000 },
  ],
});

const empty = "# Benchmarks\n\nWords.\n\n## Figures\n\nWritten by the bench.\n";

test("a run is written behind the words, with its spread and its goals", () => {
  expect(withFigures(empty, run("npm run bench lifecycle", 900, 1200.4, 1100))).toBe(`# Benchmarks

Words.

## Figures

Written by the bench.

### \`npm run bench lifecycle\`

2026-11-17, commit abc.

| leg | median | rounds from … to |
|---|---|---|
| closed loop | 1100 orders/s | 900 to 1200 |

| goal | value | wanted | |
|---|---|---|---|
| whole, a second | 900 | ≥ 1000 | missed |
| WAL | 5890 | ≤ 6000 | met |
`);
});

test("a second run of a command takes the place of the first, and leaves the others where they are", () => {
  const [one, two] = [run("npm run bench a", 1), run("npm run bench ab", 2)];
  const both = withFigures(withFigures(empty, one), two);
  const again = withFigures(both, run("npm run bench a", 7));
  expect(again.match(/^### .*$/gm)).toEqual(["### `npm run bench a`", "### `npm run bench ab`"]);
  expect(again).toContain("| closed loop | 7 orders/s |  |");
  expect(again).not.toContain("| closed loop | 1 orders/s |");
  expect(withFigures(again, one)).toBe(both);
});

test("a document without a place for figures is not written over", () => {
  expect(() => withFigures("# Benchmarks\n", run("npm run bench a", 1))).toThrow('no "## Figures"');
});

test("a command is written with what shaped it, and without what did not", () => {
  const env = { PATH: "/bin", BENCH_WORKER: "same", BENCH_RECORD: "1", BENCH_PROFILE: "/tmp/x", BENCH_SECONDS: "600" };
  expect(commandOf("lifecycle", env)).toBe("BENCH_SECONDS=600 BENCH_WORKER=same npm run bench lifecycle");
  expect(commandOf("webhooks", {})).toBe("npm run bench webhooks");
  const files = { BENCH_PGLEDGER: "/home/ada/ulid.sql,../pgledger.sql", BENCH_SANDBOXES: "1,10" };
  expect(commandOf("transfers", files)).toBe(
    "BENCH_PGLEDGER=ulid.sql,pgledger.sql BENCH_SANDBOXES=1,10 npm run bench transfers",
  );
});
