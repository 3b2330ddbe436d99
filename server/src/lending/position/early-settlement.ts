/**
 * What closes a loan today. With a reducing balance, interest is the price of time, so that periods which have not
 * begun cost nothing; with flat interest the price was agreed for the whole and nothing is waived.
 *
 * A period begins on the day after the due date before it; the first has always begun. A borrower who settles on a due
 * date does not pay for the period that follows.
 */
import { add, subtract, sum } from "../../money/arithmetic.ts";
import type { Kobo } from "../../money/kobo.ts";
import { isAfter } from "../../platform/time/lagos-date.ts";
import type { InterestMethod } from "../pricing/product.ts";
import { dueParts, type InstalmentPosition, sumParts } from "./instalment.ts";

export interface Settlement {
  /** What has to be paid now, on top of what was paid, to owe nothing. */
  readonly amount: Kobo;
  readonly waivedInterest: Kobo;
  /** By instalment, in their order. */
  readonly waived: readonly Kobo[];
}

export function earlySettlement(
  instalments: readonly InstalmentPosition[],
  interestMethod: InterestMethod,
  today: Temporal.PlainDate,
): Settlement {
  const waived = instalments.map((instalment, place) => {
    if (interestMethod === "flat" || hasBegun(instalments[place - 1], today)) return instalment.waivedInterest;
    return instalment.interest;
  });
  const waivedInterest = sum(waived);
  const due = sum(instalments.map((instalment) => add(sumParts(dueParts(instalment)), instalment.waivedInterest)));
  const paid = sum(instalments.map((instalment) => sumParts(instalment.paid)));
  return { amount: subtract(subtract(due, waivedInterest), paid), waivedInterest, waived };
}

function hasBegun(before: InstalmentPosition | undefined, today: Temporal.PlainDate): boolean {
  return before === undefined || isAfter(today, before.dueDate);
}
