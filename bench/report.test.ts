import { expect, onTestFinished, test, vi } from "vitest";
import { chart, type Goal, isMet, median, percentile, printReport } from "./report.ts";

test.each([
  [[], Number.NaN],
  [[7], 7],
  [[3, 1, 2], 2],
  [[100, 9, 11], 11],
  [[4, 1, 3, 2], 2.5],
  [[1, 2], 1.5],
])("the median of %j is %d", (values, middle) => {
  expect(median(values)).toBe(middle);
});

const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);

test.each([
  [[], 0.99, Number.NaN],
  [[5], 0.5, 5],
  [[5], 0.99, 5],
  [[1, 2, 3, 4], 0.5, 2],
  // Of ten the slowest is the 99th percentile: nine tenths are not 99 of a hundred.
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 1000], 0.99, 1000],
  [hundred, 0.5, 50],
  [hundred, 0.99, 99],
  [hundred, 1, 100],
  [hundred, 0, 1],
])("of %j at most a share of %d takes %d or less", (values, share, wanted) => {
  expect(percentile(values, share)).toBe(wanted);
});

test("neither changes what it is given", () => {
  const values = [3, 1, 2];
  median(values);
  percentile(values, 0.5);
  expect(values).toEqual([3, 1, 2]);
});

test.each<readonly [Goal, boolean]>([
  [{ name: "g", value: 10, atLeast: 10 }, true],
  [{ name: "g", value: 9.99, atLeast: 10 }, false],
  [{ name: "g", value: 10, atMost: 10 }, true],
  [{ name: "g", value: 10.01, atMost: 10 }, false],
  [{ name: "g", value: Number.NaN, atMost: 10 }, false],
  [{ name: "g", value: Number.NaN, atLeast: 0 }, false],
])("the goal %j is met: %s", (goal, met) => {
  expect(isMet(goal)).toBe(met);
});

test("the table says which goal was missed", () => {
  const said: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((line: string) => void said.push(line));
  onTestFinished(() => log.mockRestore());
  printReport(
    [{ name: "payouts", unit: "payouts/s", values: [99.994, 100.4, 3] }],
    [
      { name: "payouts a second", value: 99.994, atLeast: 90 },
      { name: "p99 ms", value: 51, atMost: 50 },
    ],
  );
  const text = said.join("\n");
  expect(text).toMatch(/payouts +99\.99 payouts\/s +99\.99 {2}100 {2}3/);
  expect(text).toMatch(/payouts a second .*≥ 90 +met/);
  expect(text).toMatch(/p99 ms .*≤ 50 +MISSED/);
});

test("the drawing has a bar of the median and a dot a round, and a name cannot break it", () => {
  const svg = chart("a < b & c", [{ name: "<leg>", unit: "n/s", values: [50, 100, 75] }]);
  expect(svg).toContain("<title>a &lt; b &amp; c</title>");
  expect(svg).toContain("&lt;leg>");
  expect(svg.match(/<circle/g)).toHaveLength(3);
  // The fastest round fills the width that there is, the median three quarters of it.
  expect(svg).toMatch(/<rect x="330" y="50" width="360"/);
});
