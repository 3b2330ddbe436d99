/** How late a loan is: days since the due date of the earliest instalment that is not paid, and their bucket. */
import { sum } from "../money/arithmetic.ts";
import type { Kobo } from "../money/kobo.ts";
import { daysBetween } from "../platform/time/lagos-date.ts";
import { earliestOpen, type InstalmentPosition, isOverdue, unpaid } from "./instalment.ts";

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
