import { expect, test } from "vitest";
import { balancesOf } from "./overview.ts";

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
