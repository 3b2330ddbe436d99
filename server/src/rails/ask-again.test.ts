import { expect, test } from "vitest";
import { delayAfter } from "./pursue-order.ts";

test.each([
  [1, 2_000],
  [2, 4_000],
  [3, 8_000],
  [9, 512_000],
  [10, 900_000],
  [104, 900_000],
  [105, 3_600_000],
  [1_000_000, 3_600_000],
])("after %d unanswered questions the next follows in %d ms", (asked, ms) => {
  expect(delayAfter(asked)).toBe(ms);
});

test("for a day it is asked at least every quarter of an hour, then every hour", () => {
  let waitedMs = 0;
  let asked = 1;
  for (; delayAfter(asked) <= 900_000; asked += 1) waitedMs += delayAfter(asked);
  expect(waitedMs).toBeGreaterThanOrEqual(86_400_000);
  expect(waitedMs).toBeLessThan(86_400_000 + 900_000);
  expect(delayAfter(asked)).toBe(3_600_000);
});
