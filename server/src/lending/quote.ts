/**
 * What a loan costs: instalments with their dates, exact to the kobo. Every division names its rounding:
 *
 * - Flat interest is rounded half up once, for the whole loan. Principal, interest and fees are then split into equal
 *   parts, rounded down, and the last instalment takes what is left of each.
 * - With a reducing balance the instalment (the annuity) and each period's interest are rounded half up; the last
 *   instalment pays the rest of the principal and so takes the rounding. Because both round the same way, and a
 *   period's exact interest is never more than the exact instalment, principal is never negative.
 */
import { add, multiplyRatio, smaller, splitEvenly, subtract, sum } from "../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../money/kobo.ts";
import { type LoanProduct, type LoanTerms, type Rate, rateOf, rateUnit, type TenorType } from "./product.ts";

export interface PlannedInstalment {
  /** From 1. */
  readonly number: number;
  /** A date in Lagos. */
  readonly dueDate: Temporal.PlainDate;
  readonly principal: Kobo;
  readonly interest: Kobo;
  readonly fees: Kobo;
}

export interface Quote extends LoanTerms {
  /** Per period, in parts per million. */
  readonly rate: Rate;
  readonly startDate: Temporal.PlainDate;
  readonly endDate: Temporal.PlainDate;
  readonly instalments: readonly PlannedInstalment[];
  /** What each instalment but the last comes to. */
  readonly instalmentAmount: Kobo;
  readonly totalInterest: Kobo;
  readonly totalFees: Kobo;
  readonly totalRepayment: Kobo;
}

/** Prices terms that the product offers (see `termsErrors`), for a loan that starts on a date in Lagos. */
export function quote(product: LoanProduct, terms: LoanTerms, startDate: Temporal.PlainDate): Quote {
  const rate = rateOf(product, terms.tenorType);
  const parts = product.interestMethod === "flat" ? flatParts(terms, rate) : reducingParts(terms, rate);
  const fees = splitEvenly(feeOf(product, terms.amount), terms.tenor);
  const instalments = parts.map((part, place) => ({
    number: place + 1,
    dueDate: dateAfter(startDate, terms.tenorType, place + 1),
    ...part,
    fees: fees[place] ?? zeroKobo,
  }));
  const [first] = instalments;
  if (first === undefined) throw new Error("a loan has at least one instalment");
  return {
    amount: terms.amount,
    tenor: terms.tenor,
    tenorType: terms.tenorType,
    rate,
    startDate,
    endDate: dateAfter(startDate, terms.tenorType, terms.tenor),
    instalments,
    instalmentAmount: amountDue(first),
    totalInterest: sum(instalments.map(({ interest }) => interest)),
    totalFees: sum(fees),
    totalRepayment: sum(instalments.map(amountDue)),
  };
}

export function amountDue({ principal, interest, fees }: Omit<PlannedInstalment, "number" | "dueDate">): Kobo {
  return add(principal, interest, fees);
}

/** The fee for granting a loan: a part of the amount, rounded half up, and a fixed sum. */
function feeOf({ fee }: LoanProduct, amount: Kobo): Kobo {
  return add(multiplyRatio(amount, fee.rate, rateUnit, "half_up"), fee.fixed);
}

interface Part {
  readonly principal: Kobo;
  readonly interest: Kobo;
}

function flatParts({ amount, tenor }: LoanTerms, rate: Rate): Part[] {
  const interest = splitEvenly(flatInterest(amount, rate, tenor), tenor);
  return splitEvenly(amount, tenor).map((principal, place) => ({ principal, interest: interest[place] ?? zeroKobo }));
}

function flatInterest(amount: Kobo, rate: Rate, periods: number): Kobo {
  return multiplyRatio(amount, rate * BigInt(periods), rateUnit, "half_up");
}

function reducingParts({ amount, tenor }: LoanTerms, rate: Rate): Part[] {
  const instalment = annuity(amount, rate, tenor);
  const parts: Part[] = [];
  let owed = amount;
  for (let number = 1; number <= tenor; number += 1) {
    const interest = multiplyRatio(owed, rate, rateUnit, "half_up");
    // Only rates far beyond any real product pay a loan off before its last instalment, by the rounding alone.
    const principal = number === tenor ? owed : smaller(subtract(instalment, interest), owed);
    owed = subtract(owed, principal);
    parts.push({ principal, interest });
  }
  return parts;
}

/**
 * The equal instalment that pays an amount off in `periods` at a rate r on what is owed: amount × r ÷ (1 − (1 + r)^−n).
 * Computed as one exact ratio of whole numbers and rounded once, half up.
 */
export function annuity(amount: Kobo, rate: Rate, periods: number): Kobo {
  if (rate === 0n) return multiplyRatio(amount, 1n, BigInt(periods), "half_up");
  const grown = (rateUnit + rate) ** BigInt(periods);
  const flat = rateUnit ** BigInt(periods);
  return multiplyRatio(amount, rate * grown, rateUnit * (grown - flat), "half_up");
}

/** Due dates are calendar dates in Lagos: they have no hour, and are not moved for weekends or holidays. */

/**
 * The date after `count` periods. Always counted from the first date, never from the one before: a month that is too
 * short ends a period early and the next one is back on its day (31 January, 28 February, 31 March).
 */
export function dateAfter(start: Temporal.PlainDate, tenorType: TenorType, count: number): Temporal.PlainDate {
  if (tenorType === "daily") return start.add({ days: count });
  if (tenorType === "weekly") return start.add({ weeks: count });
  return start.add({ months: count }, { overflow: "constrain" });
}
