import { expect, test } from "vitest";
import { kobo } from "../../money/kobo.ts";
import { chargeFor, type Rates } from "./rate.ts";

const rates: Rates = [
  { category: "airtime", effectiveFrom: new Date("2027-01-01"), commissionBasisPoints: 300n, fee: kobo(1000n) },
  { category: "tv", effectiveFrom: new Date("2026-06-01"), commissionBasisPoints: 150n, fee: kobo(0n) },
  { category: "airtime", effectiveFrom: new Date("2020-01-01"), commissionBasisPoints: 250n, fee: kobo(0n) },
];

test.each([
  ["airtime", 100_000n, "2026-11-01", 2_500n, 0n],
  ["airtime", 9_999n, "2026-11-01", 249n, 0n],
  ["airtime", 39n, "2026-11-01", 0n, 0n],
  ["airtime", 40n, "2026-11-01", 1n, 0n],
  ["airtime", 100_000n, "2027-01-01", 3_000n, 1_000n],
  ["tv", 1_900_000n, "2026-11-01", 28_500n, 0n],
  // Before all rates the oldest holds.
  ["tv", 1_900_000n, "2019-01-01", 28_500n, 0n],
] as const)("%s of %d kobo on %s earns %d and costs %d", (category, amount, day, commission, fee) => {
  expect(chargeFor(rates, category, kobo(amount), new Date(day))).toEqual({ commission, fee });
});

test("a category without a rate is a fault of the data", () => {
  expect(() => chargeFor(rates, "betting", kobo(1n), new Date("2026-11-01"))).toThrow("no rate for betting");
});
