import { expect, test } from "vitest";
import { balancesOf, changeOf, pendingOf, previousPeriod } from "./overview.ts";

test("what the wallet held follows from what it holds, step by step backwards", () => {
  const steps = [
    { at: "1", moneyIn: 1_000, moneyOut: 0 },
    { at: "2", moneyIn: 0, moneyOut: 0.1 },
    { at: "3", moneyIn: 0.3, moneyOut: 99.99 },
  ];
  expect(balancesOf({ available: 900.21, steps })).toEqual([1_000, 999.9, 900.21]);
});

test("no steps, no balances", () => {
  expect(balancesOf({ available: 5, steps: [] })).toEqual([]);
});

test.each([
  [112, 100, "12% more than"],
  [95, 100, "5% less than"],
  [100.5, 100, "about the same as"],
  [5, 0, undefined],
  [5, undefined, undefined],
  [0, 5, "100% less than"],
])("%s after %s is %s", (now, before, words) => {
  expect(changeOf(now, before)).toBe(words);
});

test("the period before ends where this one begins", () => {
  const from = "2026-10-21T23:00:00.000Z";
  expect(previousPeriod({ from, by: "day" })).toEqual({ by: "day", from: "2026-09-21T23:00:00.000Z", to: from });
  expect(previousPeriod({ from, by: "hour" })).toEqual({ by: "hour", from: "2026-10-20T23:00:00.000Z", to: from });
});

test("without figures of payouts nothing is pending", () => {
  expect(pendingOf(undefined)).toEqual({ count: 0, amount: 0 });
});
