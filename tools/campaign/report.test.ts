import { expect, test } from "vitest";
import type { Part } from "./parts.ts";
import { figureIn, type Result, readResults, replaceTable } from "./report.ts";

const parts: readonly Part[] = [
  { name: "crash", shows: "nothing is lost", command: ["true"] },
  { name: "sdk", shows: "it runs", command: ["true"] },
];
const empty = "# Campaigns\n\nWords.\n\n| Part |\n";

const resultOf = (part: string, more: Partial<Result> = {}): [string, Result] => [
  part,
  {
    part,
    isGood: true,
    figure: "12 passed, 0 failed",
    seconds: 90,
    processorSeconds: 120,
    commit: "abc1234",
    date: "2026-11-19",
    ...more,
  },
];

test("a part that was played has its row, the others say that they were not", () => {
  const text = replaceTable(empty, parts, new Map([resultOf("crash")]));
  expect(text).toContain(
    "| crash | passed | 12 passed, 0 failed | 1.5 | 2.0 | abc1234 | 2026-11-19 | nothing is lost |",
  );
  expect(text).toContain("| sdk | not played yet |");
  expect(text.startsWith("# Campaigns\n\nWords.\n\n| Part | Result |")).toBe(true);
});

test("playing one part keeps the results of the others, failures too", () => {
  const before = replaceTable(
    empty,
    parts,
    new Map([resultOf("crash", { isGood: false, processorSeconds: undefined })]),
  );
  const results = new Map([...readResults(before), resultOf("sdk")]);
  expect(results.get("crash")).toMatchObject({ isGood: false, seconds: 90, processorSeconds: undefined });
  expect(replaceTable(before, parts, results)).toContain("| crash | **failed** |");
});

test("a result of a part that is gone leaves the table", () => {
  const before = replaceTable(empty, parts, new Map([resultOf("crash"), resultOf("sdk")]));
  expect(replaceTable(before, parts.slice(1), readResults(before))).not.toContain("crash");
});

test("a document without its table is named", () => {
  expect(() => replaceTable("# Campaigns\n", parts, new Map())).toThrow("docs/campaigns.md has no table");
});

test.each([
  ["the count of tests, wherever it stands", "12 passed, 0 failed\nDuration 3 s\n", "12 passed, 0 failed"],
  ["else the last line", "crash campaign: 1 passed\nAll agree | to the kobo.\n\n", "All agree / to the kobo."],
  ["nothing for nothing", "", ""],
])("the figure is %s", (_, output, expected) => {
  expect(figureIn(output)).toBe(expected);
});
