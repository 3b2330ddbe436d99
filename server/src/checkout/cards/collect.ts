import { dueAmount } from "../../lending/due-amount.ts";
import { inEnvironment, type Tx } from "../../platform/database/database.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { findDefaultCard } from "./card-store.ts";
import { type Charge, cardNotLinked } from "./charge.ts";
import { type ChargeDependencies, pursueCharges } from "./charge-order.ts";
import { findChargeUnderWay, insertCharge } from "./charge-store.ts";
import { type Collection, waitForOtherMs } from "./collection.ts";
import { lockCollection, saveCollection } from "./collection-store.ts";
import { followFailure } from "./end-charge.ts";
import { book, planNextDueDate } from "./plan-collection.ts";

/** Charges what has fallen due of a loan, if its time has come. */
export async function collect(deps: ChargeDependencies, environmentId: string, loanId: string): Promise<void> {
  const charge = await inEnvironment(deps.db, environmentId, (tx) => beginCollection(tx, loanId));
  if (charge?.status === "processing") await pursueCharges(deps).sendCommitted({ environmentId, id: charge.id });
}

async function beginCollection(tx: Tx, loanId: string): Promise<Charge | undefined> {
  // Locks: the loan, under which no other charge can begin, and then its collection.
  await requireCheckoutLoan(tx, loanId, { lock: true });
  const collection = await lockCollection(tx, loanId);
  if (collection === undefined || collection.nextAt === null) return undefined;
  const now = tx.environment.clock.now();
  if (collection.nextAt > now) {
    await book(tx, collection);
    return undefined;
  }
  if ((await findChargeUnderWay(tx, loanId)) !== undefined) {
    await book(tx, { ...collection, nextAt: new Date(now.getTime() + waitForOtherMs) });
    return undefined;
  }
  const { amount } = await dueAmount(tx, collection.accountId);
  if (amount > 0n) return beginTry(tx, collection, amount);
  await planNextDueDate(tx, collection);
  return undefined;
}

/** While the charge is under way nothing is booked: its end says what comes next. */
async function beginTry(tx: Tx, collection: Collection, amount: Charge["amount"]): Promise<Charge> {
  const { loanId, customerId, dueDate } = collection;
  const firstTriedAt = collection.firstTriedAt ?? tx.environment.clock.now();
  const attempt = collection.tries + 1;
  await saveCollection(tx, { ...collection, firstTriedAt, tries: attempt, nextAt: null });
  const card = await findDefaultCard(tx, customerId);
  const wanted = { loanId, customerId, kind: "collection", reference: null, amount, attempt, dueDate } as const;
  if (card !== undefined) return insertCharge(tx, { ...wanted, cardId: card.id, connectionId: card.connectionId });
  const failed = await insertCharge(tx, { ...wanted, cardId: null, connectionId: null }, cardNotLinked);
  await followFailure(tx, failed);
  return failed;
}
