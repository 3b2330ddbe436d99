import { expect, test } from "vitest";
import { tally } from "./tally.ts";

test("counts tests and failed steps together, the tests' own step only where it has no failed test", () => {
  expect(tally("noise\n12 passed, 0 failed\n", [])).toEqual({ passed: 12, failed: 0, isGood: true });
  expect(tally("11 passed, 1 failed, 2 skipped\n", ["tests"])).toEqual({ passed: 11, failed: 1, isGood: false });
  expect(tally("12 passed, 0 failed\n", ["tidy"])).toEqual({ passed: 12, failed: 1, isGood: false });
});

test("a run of tests that ended without a count has failed", () => {
  expect(tally("killed\n", ["tests"])).toEqual({ passed: 0, failed: 1, isGood: false });
  expect(tally("", [])).toEqual({ passed: 0, failed: 0, isGood: false });
});
