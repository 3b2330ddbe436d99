/** When a loan's collection is next, kept with the row and booked on the agenda together. */
import { dueAmount } from "../../lending/collect/due-amount.ts";
import type { Tx } from "../../platform/database/database.ts";
import { lagosDate } from "../../platform/time/lagos-date.ts";
import { cancelScheduled, schedule } from "../../platform/work/agenda.ts";
import type { CheckoutLoan } from "../loans/checkout-loan.ts";
import type { LoanMoved } from "../loans/loan-moved.ts";
import { collectTask } from "./charge.ts";
import { type Collection, collectionMoment, retryMoment } from "./collection.ts";
import { lockCollection, saveCollection } from "./collection-store.ts";

/** The money is out, so something will fall due; a loan that was over and is open again is taken up again. */
export const followWithCollection: LoanMoved = async (tx, loan, from) => {
  const isOpen = loan.status === "active" || loan.status === "overdue";
  if (isOpen) {
    if (from !== "active" && from !== "overdue") await startCollection(tx, loan);
    return;
  }
  const collection = await lockCollection(tx, loan.id);
  if (collection !== undefined && collection.nextAt !== null) await book(tx, { ...collection, nextAt: null });
};

async function startCollection(tx: Tx, loan: CheckoutLoan): Promise<void> {
  const { id: loanId, accountId, customerId } = loan;
  await lockCollection(tx, loanId);
  await planAnew(tx, { loanId, accountId, customerId });
}

/** What is due already is asked for the next morning: a loan was reopened with it, or it came while a charge was open. */
export async function planAnew(
  tx: Tx,
  { loanId, accountId, customerId }: Pick<Collection, "loanId" | "accountId" | "customerId">,
): Promise<void> {
  const fresh = { loanId, accountId, customerId, dueDate: null, firstTriedAt: null, tries: 0, nextAt: null };
  const { amount } = await dueAmount(tx, accountId);
  if (amount === 0n) return planNextDueDate(tx, fresh);
  const now = tx.environment.clock.now();
  const today = lagosDate(now);
  const day = collectionMoment(today) > now ? today : today.add({ days: 1 });
  await book(tx, { ...fresh, dueDate: day, nextAt: collectionMoment(day) });
}

/** Nothing more is to be had for the due date at hand, or nothing is owed of it. */
export async function planNextDueDate(tx: Tx, collection: Collection): Promise<void> {
  const { nextDueDate: dueDate } = await dueAmount(tx, collection.accountId);
  const nextAt = dueDate === null ? null : collectionMoment(dueDate);
  await book(tx, { ...collection, dueDate, nextAt, firstTriedAt: null, tries: 0 });
}

/** After a declined try. Answers when it is tried again; null when a person has to see to it. */
export async function planRetry(tx: Tx, collection: Collection): Promise<Date | null> {
  const nextAt = retryMoment(collection);
  if (nextAt === undefined) {
    await planNextDueDate(tx, collection);
    return null;
  }
  await book(tx, { ...collection, nextAt });
  return nextAt;
}

export async function book(tx: Tx, collection: Collection): Promise<void> {
  const { loanId, nextAt } = collection;
  await saveCollection(tx, collection);
  if (nextAt === null) await cancelScheduled(tx, collectTask, [loanId]);
  else await schedule(tx, [{ kind: collectTask, subject: loanId, dueAt: nextAt }]);
}
