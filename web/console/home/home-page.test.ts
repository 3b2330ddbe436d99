import { expect, test } from "vitest";
import { endedCount } from "../bulk/batch-page.tsx";
import { successText } from "./success-text.ts";

test.each([
  [1, "100%"],
  [0.999, "99%"],
  [0, "0%"],
  [null, "–"],
])("a rate of %s is told as %s", (successRate, text) => {
  expect(successText({ successRate })).toBe(text);
});

test("payouts that are refused count as ended, those under way do not", () => {
  const counts = { pending: 1, processing: 2, completed: 3, failed: 1, reversed: 0 };
  expect(endedCount({ counts, totalCount: 9 })).toBe(6);
});
