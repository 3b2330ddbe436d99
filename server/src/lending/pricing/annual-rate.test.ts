import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { kobo } from "../../money/kobo.ts";
import { annualRate } from "./annual-rate.ts";
import { annuity } from "./calculation.ts";
import { ratePercent, type TenorType } from "./product.ts";

/** Worked out by reference-annual-rates.py, with decimals and Newton's method. */
const reference = readFileSync(join(import.meta.dirname, "reference-annual-rates.tsv"), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t"));

test.each(reference)("%s", (_name, paidOut = "", payments = "", kind = "", percent = "") => {
  const plan = {
    paidOut: kobo(BigInt(paidOut)),
    payments: payments.split(",").map((payment) => kobo(BigInt(payment))),
    tenorType: kind as TenorType,
  };
  expect(ratePercent(annualRate(plan))).toBe(Number(percent));
});

describe("by hand", () => {
  test("one month at 2.5 % is 1.025 to the twelfth power", () => {
    const plan = { paidOut: kobo(1_000_000n), payments: [kobo(1_025_000n)], tenorType: "monthly" } as const;
    // 1.025^12 = 1.34488882…
    expect(annualRate(plan)).toBe(344_900n);
  });

  test("an annuity has the rate that it was made with", () => {
    const paidOut = kobo(10n ** 12n);
    for (const rate of [10_000n, 25_000n, 40_000n]) {
      const payments = Array.from({ length: 12 }, () => annuity(paidOut, rate, 12));
      const yearly = (1 + Number(rate) / 1_000_000) ** 12 - 1;
      expect(ratePercent(annualRate({ paidOut, payments, tenorType: "monthly" }))).toBeCloseTo(yearly * 100, 2);
    }
  });

  test("payments that give back less than was paid out cost nothing", () => {
    const plan = { paidOut: kobo(1_000n), payments: [kobo(900n)], tenorType: "monthly" } as const;
    expect(annualRate(plan)).toBe(0n);
  });
});
