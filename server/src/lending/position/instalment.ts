/**
 * An instalment with what became of it. It is owed in four parts, and money pays them in this order: late fee, fees,
 * interest, principal.
 */
import { add, subtract, sum } from "../../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../money/kobo.ts";
import { isAfter } from "../../platform/time/lagos-date.ts";
import type { LoanProduct, LoanTerms } from "../pricing/product.ts";
import { type PlannedInstalment, quote } from "../pricing/quote.ts";

export const parts = ["lateFee", "fees", "interest", "principal"] as const;
export type Part = (typeof parts)[number];
export type Parts = Readonly<Record<Part, Kobo>>;

export const noParts: Parts = { lateFee: zeroKobo, fees: zeroKobo, interest: zeroKobo, principal: zeroKobo };

/** As it is stored: the plan, and the late fee if one was charged. */
export interface ScheduledInstalment extends PlannedInstalment {
  readonly lateFee: Kobo;
  /** The account's version that charged the late fee. */
  readonly lateFeeAt: number | null;
}

export interface InstalmentPosition extends ScheduledInstalment {
  /** Interest of a period that had not begun when the loan was settled early, and what refunds have waived. */
  readonly waivedInterest: Kobo;
  /** What refunds have waived. */
  readonly waivedFees: Kobo;
  /** Principal that refunds have taken off the plan. */
  readonly reducedPrincipal: Kobo;
  readonly paid: Parts;
  readonly paidAt: Date | null;
}

/** What is owed of it, paid or not. */
export function dueParts(instalment: InstalmentPosition): Parts {
  return {
    lateFee: instalment.lateFee,
    fees: subtract(instalment.fees, instalment.waivedFees),
    interest: subtract(instalment.interest, instalment.waivedInterest),
    principal: subtract(instalment.principal, instalment.reducedPrincipal),
  };
}

/** Nothing has happened to it yet. */
export function untouched(instalment: ScheduledInstalment): InstalmentPosition {
  const nothing = { waivedInterest: zeroKobo, waivedFees: zeroKobo, reducedPrincipal: zeroKobo };
  return { ...instalment, ...nothing, paid: noParts, paidAt: null };
}

export function sumParts(amounts: Parts): Kobo {
  return sum(parts.map((part) => amounts[part]));
}

export function mapParts(change: (part: Part) => Kobo): Parts {
  return {
    lateFee: change("lateFee"),
    fees: change("fees"),
    interest: change("interest"),
    principal: change("principal"),
  };
}

export function addParts(one: Parts, other: Parts): Parts {
  return mapParts((part) => add(one[part], other[part]));
}

export function subtractParts(from: Parts, amounts: Parts): Parts {
  return mapParts((part) => subtract(from[part], amounts[part]));
}

/** What is unpaid of it. */
export function unpaid(instalment: InstalmentPosition): Kobo {
  return subtract(sumParts(dueParts(instalment)), sumParts(instalment.paid));
}

export function earliestOpen(instalments: readonly InstalmentPosition[]): InstalmentPosition | undefined {
  return instalments.find((instalment) => unpaid(instalment) > 0n);
}

/** Overdue: unpaid when the days of grace after its due date have passed. */
export function isOverdue(instalment: InstalmentPosition, graceDays: number, today: Temporal.PlainDate): boolean {
  // Most are not even due, which is the quickest to see.
  const isDue = isAfter(today, instalment.dueDate);
  return isDue && unpaid(instalment) > 0n && isAfter(today, lastDayOfGrace(instalment, graceDays));
}

export function lastDayOfGrace({ dueDate }: PlannedInstalment, graceDays: number): Temporal.PlainDate {
  return dueDate.add({ days: graceDays });
}

/** The plan of a loan that starts on a date: what a quote says, with no late fee yet. */
export function scheduled(
  product: LoanProduct,
  terms: LoanTerms,
  startDate: Temporal.PlainDate,
): ScheduledInstalment[] {
  return quote(product, terms, startDate).instalments.map((instalment) => ({
    ...instalment,
    lateFee: zeroKobo,
    lateFeeAt: null,
  }));
}
