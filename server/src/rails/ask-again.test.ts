import { expect, test } from "vitest";
import { delayAfter } from "./ask-again.ts";

test.each([
  [1, 2_000],
  [2, 4_000],
  [3, 8_000],
  [9, 512_000],
  [10, 900_000],
  [1_000_000, 900_000],
])("after %d unanswered questions the next follows in %d ms", (asked, ms) => {
  expect(delayAfter(asked)).toBe(ms);
});
