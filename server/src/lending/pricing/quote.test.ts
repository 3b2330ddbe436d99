import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { naira } from "../../../testing/lending/lending.ts";
import { type Kobo, kobo, nairaString, zeroKobo } from "../../money/kobo.ts";
import { earlySettlement } from "../position/early-settlement.ts";
import { positionOf } from "../position/position.ts";
import { annuity } from "./calculation.ts";
import { type InterestMethod, type LoanProduct, ratePercent, type TenorType, termsErrors } from "./product.ts";
import { standardProduct } from "./products.ts";
import { amountDue, lateFeeOf, quote } from "./quote.ts";

const standard: LoanProduct = { ...standardProduct, id: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b12", version: 1 };
const millionths = (percent: string): bigint => BigInt(Math.round(Number(percent) * 10_000));
const date = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

interface ReferenceLoan {
  readonly product: LoanProduct;
  readonly terms: { readonly amount: Kobo; readonly tenor: number; readonly tenorType: TenorType };
  readonly start: string;
  readonly expected: { interest: string; total: string; lateFee: string; settled: string; settlement: string };
  readonly rows: readonly string[];
}

/** See reference-loans.py, which worked them out by another method. */
const references = readFileSync(join(import.meta.dirname, "reference-loans.tsv"), "utf8")
  .trimEnd()
  .split("\n");

function readReference(line: string): ReferenceLoan {
  const [method, amount, type, tenor, percent, feePercent, feeFixed, start, ...rest] = line.split("\t");
  const [interest = "", total = "", lateFee = "", settled = "", settlement = "", rows = ""] = rest;
  const tenorType = type as TenorType;
  return {
    product: {
      ...standard,
      interestMethod: method as InterestMethod,
      tenors: { [tenorType]: { shortest: 1, longest: 1_000, rate: millionths(percent ?? "") } },
      fee: { rate: millionths(feePercent ?? ""), fixed: naira(feeFixed ?? "") },
    },
    terms: { amount: naira(amount ?? ""), tenor: Number(tenor), tenorType },
    start: start ?? "",
    expected: { interest, total, lateFee, settled, settlement },
    rows: rows.split(";"),
  };
}

describe("loans worked out by another method", () => {
  test("are at least forty, of both methods and all tenor types", () => {
    expect(references.length).toBeGreaterThanOrEqual(40);
    const kinds = new Set(
      references.map((line) =>
        line
          .split("\t")
          .filter((_, place) => place === 0 || place === 2)
          .join(),
      ),
    );
    expect(kinds.size).toBe(6);
  });

  test.each(references.map((line) => [line.split("\t").slice(0, 8).join(" "), line]))("%s", (_name, line) => {
    const { product, terms, start, expected, rows } = readReference(line);
    const priced = quote(product, terms, date(start));
    const written = priced.instalments.map(({ dueDate, principal, interest, fees }) =>
      [dueDate, ...[principal, interest, fees].map(nairaString)].join(" "),
    );
    expect(written).toEqual(rows);
    expect(nairaString(priced.totalInterest)).toBe(expected.interest);
    expect(nairaString(priced.totalRepayment)).toBe(expected.total);
    const [first] = priced.instalments;
    if (first === undefined) throw new Error("no instalment");
    expect(nairaString(lateFeeOf(product, first))).toBe(expected.lateFee);
    const instalments = priced.instalments.map((instalment) => ({ ...instalment, lateFee: zeroKobo, lateFeeAt: null }));
    const untouched = {
      interestMethod: product.interestMethod,
      instalments,
      repayments: [],
      reductions: [],
      refunds: [],
    };
    const position = positionOf({ ...untouched, writtenOffAt: null });
    const settlement = earlySettlement(position.instalments, product.interestMethod, date(expected.settled));
    expect(nairaString(settlement.amount)).toBe(expected.settlement);
  });
});

test.each([
  // Textbook instalments of mortgages and car loans.
  ["10,000.00", 10_000n, 12, "888.49"],
  ["100,000.00", 5_000n, 360, "599.55"],
  ["200,000.00", 5_000n, 360, "1199.10"],
  ["20,000.00", 6_250n, 60, "400.76"],
])("%s at %d millionths for %d periods is paid off with %s", (amount, rate, periods, expected) => {
  expect(nairaString(annuity(naira(amount), rate, periods))).toBe(expected);
});

test("months that are too short end a period early, and the next is back on its day", () => {
  const dates = (start: string): string[] =>
    quote(standard, { amount: naira("1,000.00"), tenor: 4, tenorType: "monthly" }, date(start)).instalments.map(
      ({ dueDate }) => dueDate.toString(),
    );
  expect(dates("2026-01-31")).toEqual(["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]);
  expect(dates("2028-01-31")).toEqual(["2028-02-29", "2028-03-31", "2028-04-30", "2028-05-31"]);
});

test.each([
  ["999.99", 4, "weekly", ["amount"]],
  ["5,000,000.01", 4, "weekly", ["amount"]],
  ["1,000.00", 0, "weekly", ["tenor"]],
  ["1,000.00", 1.5, "weekly", ["tenor"]],
  ["0.01", 53, "weekly", ["amount", "tenor"]],
  ["1,000.00", 6, "daily", ["tenor"]],
  ["1,000.00", 91, "daily", ["tenor"]],
  ["5,000,000.00", 25, "monthly", ["tenor"]],
  ["1,000.00", 7, "daily", []],
  ["5,000,000.00", 24, "monthly", []],
] as const)("the standard product and %s for %d (%s): bad fields are %j", (amount, tenor, tenorType, bad) => {
  expect(termsErrors(standard, { amount: naira(amount), tenor, tenorType }).map(({ field }) => field)).toEqual(bad);
});

test("a tenor type that the product does not offer is named", () => {
  const { daily: _, ...tenors } = standard.tenors;
  const errors = termsErrors({ ...standard, tenors }, { amount: naira("1,000.00"), tenor: 7, tenorType: "daily" });
  expect(errors).toEqual([{ field: "tenorType", message: "must be one of weekly, monthly" }]);
});

test("rates show as percent without an error of floating point", () => {
  expect([2_000n, 10_000n, 40_000n, 33_333n, 1n, 0n, 1_000_000n].map(ratePercent)).toEqual([
    0.2, 1, 4, 3.3333, 0.0001, 0, 100,
  ]);
});

const anyLoan = fc.record({
  method: fc.constantFrom<InterestMethod>("flat", "reducing"),
  tenorType: fc.constantFrom<TenorType>("daily", "weekly", "monthly"),
  amount: fc.bigInt(1n, 1_000_000_000n),
  tenor: fc.integer({ min: 1, max: 120 }),
  rate: fc.bigInt(0n, 300_000n),
  feeRate: fc.bigInt(0n, 50_000n),
  feeFixed: fc.bigInt(0n, 100_000n),
});

test("principal sums to the amount, amounts due to the total, and nothing is negative, whatever the loan", () => {
  fc.assert(
    fc.property(anyLoan, ({ method, tenorType, amount, tenor, rate, feeRate, feeFixed }) => {
      const product: LoanProduct = {
        ...standard,
        interestMethod: method,
        tenors: { [tenorType]: { shortest: 1, longest: 120, rate } },
        fee: { rate: feeRate, fixed: kobo(feeFixed) },
      };
      const priced = quote(product, { amount: kobo(amount), tenor, tenorType }, date("2026-01-31"));
      const { instalments } = priced;
      expect(instalments).toHaveLength(tenor);
      expect(instalments.reduce((sum, { principal }) => sum + principal, 0n)).toBe(amount);
      expect(instalments.reduce((sum, instalment) => sum + amountDue(instalment), 0n)).toBe(priced.totalRepayment);
      expect(priced.totalRepayment).toBe(amount + priced.totalInterest + priced.totalFees);
      for (const { principal, interest, fees } of instalments) {
        expect(principal >= 0n && interest >= 0n && fees >= 0n).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test("instalments are equal but for the last, for every loan of a real size", () => {
  const real = fc.record({
    method: fc.constantFrom<InterestMethod>("flat", "reducing"),
    amount: fc.bigInt(100_000n, 500_000_000n),
    tenor: fc.integer({ min: 1, max: 52 }),
    rate: fc.bigInt(0n, 50_000n),
  });
  fc.assert(
    fc.property(real, ({ method, amount, tenor, rate }) => {
      const tenors = { weekly: { shortest: 1, longest: 52, rate } };
      const product: LoanProduct = { ...standard, interestMethod: method, tenors };
      const priced = quote(product, { amount: kobo(amount), tenor, tenorType: "weekly" }, date("2026-01-31"));
      const due = priced.instalments.map(amountDue);
      expect(new Set(due.slice(0, -1)).size).toBeLessThanOrEqual(1);
      if (tenor > 1) expect(due[0]).toBe(priced.instalmentAmount);
      // The rounding that the last one takes is small: less than a kobo a period, with interest on it.
      const difference = Number((due.at(-1) ?? 0n) - (due[0] ?? 0n));
      expect(Math.abs(difference)).toBeLessThanOrEqual(2 * tenor * (1 + Number(rate) / 1e6) ** tenor);
    }),
    { numRuns: 500 },
  );
});
