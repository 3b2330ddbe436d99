/** An offer and a plan as the hosted page draws them: every figure from the quote, and sums that come out. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../../testing/platform/complaints.ts";
import type { LoanProduct } from "../../lending/pricing/product.ts";
import { type Quote, quote } from "../../lending/pricing/quote.ts";
import { kobo } from "../../money/kobo.ts";
import { showOffer } from "./checkout-view.ts";
import { checkoutView } from "./hosted-schemas.ts";

const today = Temporal.PlainDate.from("2026-11-03");

function product(rate: bigint, fee: bigint, interestMethod: LoanProduct["interestMethod"]): LoanProduct {
  return {
    id: "p1",
    version: 1,
    code: "checkout",
    name: "Checkout",
    description: "Month by month.",
    effectiveFrom: new Date(0),
    interestMethod,
    minimumAmount: kobo(1n),
    maximumAmount: kobo(10n ** 12n),
    tenors: { monthly: { shortest: 1, longest: 24, rate } },
    fee: { rate: fee, fixed: kobo(0n) },
    lateFee: { rate: 10_000n, minimum: kobo(0n) },
    graceDays: 0,
  } as unknown as LoanProduct;
}

const inKobo = (naira: number) => Math.round(naira * 100);
const priced = (one: LoanProduct, amount: bigint, tenor: number): Quote =>
  quote(one, { amount: kobo(amount), tenor, tenorType: "monthly" }, today);

describe("an offer", () => {
  const flat = product(25_000n, 10_000n, "flat");

  test("says what each month costs, and on which day", () => {
    const shown = showOffer(priced(flat, 6_000_000n, 3));
    expect(shown).toMatchObject({
      tenor: 3,
      interestRate: 2.5,
      installmentAmount: 21_700,
      totalInterest: 4_500,
      totalFees: 600,
      totalRepayment: 65_100,
    });
    expect(shown.schedule.map(({ number, dueDate }) => [number, dueDate])).toEqual([
      [1, "2026-12-03"],
      [2, "2027-01-03"],
      [3, "2027-02-03"],
    ]);
    expect(complaintsOf(checkoutView.properties.offers)([shown])).toEqual({});
  });

  test("costs more a year than twelve times the month's rate, because less is owed every month", () => {
    const { annualRate, interestRate } = showOffer(priced(flat, 6_000_000n, 12));
    expect(annualRate).toBeGreaterThan(12 * interestRate);
  });

  test("without interest and fees costs nothing, and is paid back in equal parts", () => {
    const shown = showOffer(priced(product(0n, 0n, "flat"), 9_000_000n, 3));
    expect(shown).toMatchObject({ totalInterest: 0, totalFees: 0, totalRepayment: 90_000, annualRate: 0 });
    expect(shown.schedule.map(({ amountDue }) => amountDue)).toEqual([30_000, 30_000, 30_000]);
  });

  test("adds up to the kobo, however it is priced and over however many months", () => {
    const method = fc.constantFrom("flat" as const, "reducing" as const);
    fc.assert(
      fc.property(
        fc.bigInt(100_000n, 10n ** 9n),
        fc.integer({ min: 1, max: 24 }),
        fc.bigInt(0n, 100_000n),
        fc.bigInt(0n, 50_000n),
        method,
        (amount, tenor, rate, fee, how) => {
          const shown = showOffer(priced(product(rate, fee, how), amount, tenor));
          const total = (part: "principal" | "interest" | "fees" | "amountDue") =>
            shown.schedule.reduce((sum, each) => sum + inKobo(each[part]), 0);
          expect(shown.schedule).toHaveLength(tenor);
          expect(total("principal")).toBe(Number(amount));
          expect(total("interest")).toBe(inKobo(shown.totalInterest));
          expect(total("fees")).toBe(inKobo(shown.totalFees));
          expect(total("amountDue")).toBe(inKobo(shown.totalRepayment));
          for (const each of shown.schedule) {
            expect(inKobo(each.amountDue)).toBe(inKobo(each.principal) + inKobo(each.interest) + inKobo(each.fees));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("has dates that rise by a month each, also over the ends of short months", () => {
    const start = Temporal.PlainDate.from("2027-01-31");
    const terms = { amount: kobo(6_000_000n), tenor: 4, tenorType: "monthly" as const };
    expect(showOffer(quote(flat, terms, start)).schedule.map(({ dueDate }) => dueDate)).toEqual([
      "2027-02-28",
      "2027-03-31",
      "2027-04-30",
      "2027-05-31",
    ]);
  });
});
