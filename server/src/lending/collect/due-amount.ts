/** What may be collected of a loan by itself: what has fallen due, and when something falls due next. */
import { sum } from "../../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { isAfter, lagosDate } from "../../platform/time/lagos-date.ts";
import { findLoan } from "../account/loan.ts";
import { isOpen } from "../account/loan-account.ts";
import { type InstalmentPosition, unpaid } from "../position/instalment.ts";

export interface DueAmount {
  /** Unpaid of all instalments whose due date is today in Lagos or was before, late fees included. */
  readonly amount: Kobo;
  /** Of the earliest instalment after today that is not paid; null when none is to come. */
  readonly nextDueDate: Temporal.PlainDate | null;
}

/** Nothing is due of a loan that is not out: not paid out yet, completed or written off. */
export async function dueAmount(tx: Tx, accountId: string): Promise<DueAmount> {
  const loan = await findLoan(tx, accountId);
  if (loan === undefined) throw new Error(`there is no loan account ${accountId}`);
  if (!isOpen(loan.account.status)) return { amount: zeroKobo, nextDueDate: null };
  return dueOf(loan.position.instalments, lagosDate(tx.environment.clock.now()));
}

function dueOf(instalments: readonly InstalmentPosition[], today: Temporal.PlainDate): DueAmount {
  const open = instalments.filter((instalment) => unpaid(instalment) > 0n);
  const due = open.filter(({ dueDate }) => !isAfter(dueDate, today));
  const next = open.find(({ dueDate }) => isAfter(dueDate, today));
  return { amount: sum(due.map(unpaid)), nextDueDate: next?.dueDate ?? null };
}
