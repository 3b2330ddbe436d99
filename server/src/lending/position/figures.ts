/**
 * The figures of a loan, and how late it is: days since the due date of the earliest instalment that is not paid, and
 * their bucket. All are computed from the loan's position and the date.
 */
import { add, subtract, sum } from "../../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../money/kobo.ts";
import { daysBetween } from "../../platform/time/lagos-date.ts";
import { amountDue } from "../pricing/quote.ts";
import { dueParts, earliestOpen, type InstalmentPosition, isOverdue, sumParts, unpaid } from "./instalment.ts";

export interface LoanFigures {
  /** Interest and fees of the plan, less what was waived. */
  readonly totalInterest: Kobo;
  readonly totalFees: Kobo;
  /** Principal that refunds have taken off the plan. */
  readonly reducedPrincipal: Kobo;
  /** The amount, less that principal, and these costs. */
  readonly totalRepayment: Kobo;
  /** Late fees charged so far. */
  readonly lateFees: Kobo;
  /** Money that the loan took; credit is not among it. */
  readonly paid: Kobo;
  /** totalRepayment + lateFees − paid. */
  readonly balance: Kobo;
  /** The unpaid part of the earliest instalment that is open. */
  readonly nextRepaymentAmount: Kobo;
  /** Everything overdue plus that instalment, counted once. */
  readonly toRepay: Kobo;
  /** Of the earliest open instalment; null when none is open. */
  readonly nextDueDate: Temporal.PlainDate | null;
}

export function figuresOf(
  instalments: readonly InstalmentPosition[],
  graceDays: number,
  today: Temporal.PlainDate,
): LoanFigures {
  const due = instalments.map(dueParts);
  const totalRepayment = sum(due.map(amountDue));
  const lateFees = sum(instalments.map(({ lateFee }) => lateFee));
  const paid = sum(instalments.map((instalment) => sumParts(instalment.paid)));
  const next = earliestOpen(instalments);
  return {
    totalInterest: sum(due.map(({ interest }) => interest)),
    totalFees: sum(due.map(({ fees }) => fees)),
    reducedPrincipal: sum(instalments.map(({ reducedPrincipal }) => reducedPrincipal)),
    totalRepayment,
    lateFees,
    paid,
    balance: subtract(add(totalRepayment, lateFees), paid),
    nextRepaymentAmount: next === undefined ? zeroKobo : unpaid(next),
    toRepay: sum(asked(instalments, graceDays, today).map(unpaid)),
    nextDueDate: next?.dueDate ?? null,
  };
}

/** What the borrower is asked for: instalments that are overdue, and the earliest open one. */
export function asked(
  instalments: readonly InstalmentPosition[],
  graceDays: number,
  today: Temporal.PlainDate,
): InstalmentPosition[] {
  const next = earliestOpen(instalments);
  return instalments.filter((instalment) => instalment === next || isOverdue(instalment, graceDays, today));
}

/** Nothing is owed of a loan that was never paid out and never will be. */
export function withoutDebt(figures: LoanFigures): LoanFigures {
  return { ...figures, balance: zeroKobo, nextRepaymentAmount: zeroKobo, toRepay: zeroKobo, nextDueDate: null };
}

export type AgeingBucket = "current" | "1-30" | "31-60" | "61-90" | "over_90";

export interface Ageing {
  /** Counts from the due date, days of grace included. */
  readonly daysPastDue: number;
  readonly bucket: AgeingBucket;
  /** Numbers of the instalments that are overdue: unpaid after the days of grace. */
  readonly overdueInstalments: readonly number[];
  readonly overdueAmount: Kobo;
}

export function ageing(
  instalments: readonly InstalmentPosition[],
  graceDays: number,
  today: Temporal.PlainDate,
): Ageing {
  const earliest = earliestOpen(instalments);
  const daysPastDue = earliest === undefined ? 0 : Math.max(0, daysBetween(earliest.dueDate, today));
  const overdue = instalments.filter((instalment) => isOverdue(instalment, graceDays, today));
  return {
    daysPastDue,
    bucket: bucketOf(daysPastDue),
    overdueInstalments: overdue.map(({ number }) => number),
    overdueAmount: sum(overdue.map(unpaid)),
  };
}

function bucketOf(daysPastDue: number): AgeingBucket {
  if (daysPastDue === 0) return "current";
  if (daysPastDue <= 30) return "1-30";
  if (daysPastDue <= 60) return "31-60";
  return daysPastDue <= 90 ? "61-90" : "over_90";
}
