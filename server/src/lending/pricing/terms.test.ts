import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { naira } from "../../../testing/lending/lending.ts";
import { zeroKobo } from "../../money/kobo.ts";
import { type LoanProduct, type LoanTerms, rateFromPercent, rateOf, ratePercent, termsErrors } from "./product.ts";
import { standardProduct } from "./products.ts";
import { dateAfter } from "./quote.ts";

const date = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

describe("a due date", () => {
  test.each([
    ["2026-01-31", "monthly", 1, "2026-02-28"],
    ["2026-01-31", "monthly", 2, "2026-03-31"],
    ["2026-01-31", "monthly", 3, "2026-04-30"],
    ["2028-01-31", "monthly", 1, "2028-02-29"],
    ["2026-12-31", "monthly", 2, "2027-02-28"],
    ["2026-11-30", "monthly", 3, "2027-02-28"],
    ["2026-02-28", "monthly", 1, "2026-03-28"],
    ["2026-12-28", "weekly", 1, "2027-01-04"],
    ["2028-02-28", "daily", 2, "2028-03-01"],
    ["2026-11-02", "monthly", 0, "2026-11-02"],
  ] as const)("%s and %s × %i is %s", (start, tenorType, count, due) => {
    expect(String(dateAfter(date(start), tenorType, count))).toBe(due);
  });

  test("comes after the one before it, and never drifts from the day on which the loan began", () => {
    const day = fc.integer({ min: 0, max: 4_000 }).map((days) => date("2024-01-01").add({ days }));
    const tenor = fc.constantFrom("daily", "weekly", "monthly");
    fc.assert(
      fc.property(day, tenor, fc.integer({ min: 1, max: 60 }), (start, tenorType, count) => {
        const [before, due] = [dateAfter(start, tenorType, count - 1), dateAfter(start, tenorType, count)];
        expect(Temporal.PlainDate.compare(before, due)).toBe(-1);
        if (tenorType !== "monthly") return;
        expect(due.day).toBe(Math.min(start.day, due.daysInMonth));
        expect(start.toPlainYearMonth().until(due.toPlainYearMonth(), { largestUnit: "month" }).months).toBe(count);
      }),
    );
  });
});

describe("terms that a product does not offer", () => {
  const product: LoanProduct = { ...standardProduct, id: "p", version: 1 };
  const { weekly: _, ...withoutWeeks } = product.tenors;
  const good: LoanTerms = { amount: naira("50,000.00"), tenor: 3, tenorType: "monthly" };
  const fields = (changes: Partial<LoanTerms>, from = product) =>
    termsErrors(from, { ...good, ...changes }).map(({ field }) => field);

  test.each<[string, Partial<LoanTerms>, string[]]>([
    ["good ones", {}, []],
    ["the smallest amount", { amount: naira("1,000.00") }, []],
    ["a kobo less", { amount: naira("999.99") }, ["amount"]],
    ["the largest amount", { amount: naira("5,000,000.00") }, []],
    ["a kobo more", { amount: naira("5,000,000.01") }, ["amount"]],
    ["nothing", { amount: zeroKobo }, ["amount"]],
    ["less than nothing", { amount: naira("-50,000.00") }, ["amount"]],
    ["the longest tenor", { tenor: 24 }, []],
    ["a month more", { tenor: 25 }, ["tenor"]],
    ["no month", { tenor: 0 }, ["tenor"]],
    ["half a month", { tenor: 1.5 }, ["tenor"]],
    ["no number of months", { tenor: Number.NaN }, ["tenor"]],
    ["too few days", { tenor: 6, tenorType: "daily" }, ["tenor"]],
    ["all at once", { amount: zeroKobo, tenor: 99 }, ["amount", "tenor"]],
  ])("%s", (_name, changes, wrong) => {
    expect(fields(changes)).toEqual(wrong);
  });

  test("say what would do", () => {
    expect(termsErrors(product, { ...good, amount: zeroKobo, tenor: 99 })).toEqual([
      { field: "amount", message: "must be from 1000.00 to 5000000.00" },
      { field: "tenor", message: "must be a whole number from 1 to 24" },
    ]);
    const monthsOnly = { ...product, tenors: withoutWeeks };
    expect(termsErrors(monthsOnly, { ...good, tenorType: "weekly" })).toEqual([
      { field: "tenorType", message: "must be one of daily, monthly" },
    ]);
    expect(() => rateOf(monthsOnly, "weekly")).toThrow("offers no weekly tenor");
  });
});

describe("a rate", () => {
  test.each([
    [2.5, 25_000n],
    [0.2, 2_000n],
    [0.0001, 1n],
    [100, 1_000_000n],
    [0, 0n],
  ])("of %d percent is %s parts per million", (percent, rate) => {
    expect(rateFromPercent(percent)).toBe(rate);
    expect(ratePercent(rate)).toBe(percent);
  });

  test.each([0.00001, 1.23456, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e21, 1e-7])(
    "of %d percent is not one that we could keep exactly",
    (percent) => {
      expect(rateFromPercent(percent)).toBeUndefined();
    },
  );

  test("is the same again after it was shown", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 9_999_999_999n }), (rate) => {
        expect(rateFromPercent(ratePercent(rate))).toBe(rate);
      }),
    );
  });
});
