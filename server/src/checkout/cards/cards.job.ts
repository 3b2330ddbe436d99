/** The tasks of cards: what a network still owes, what it is to forget, and what is due today. */

import { dueAmount } from "../../lending/collect/due-amount.ts";
import { inEnvironment, readEnvironment, type Tx } from "../../platform/database/database.ts";
import { schedule } from "../../platform/work/agenda.ts";
import type { TaskKind } from "../../platform/work/jobs.ts";
import { recordsById, type SweepSource } from "../../platform/work/sweeper.ts";
import { idleOrders } from "../../rails/orders.ts";
import { takeUpTask } from "../../rails/pursue-order.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { followTakenBack, returnLateMoney } from "./ask-about-charge.ts";
import { findDefaultCard, forgetToken, openToken } from "./card-store.ts";
import {
  type Charge,
  cardNotLinked,
  chargeTask,
  collectTask,
  lateMoneyTask,
  linkTask,
  refundTask,
  takeBackTask,
  unlinkTask,
} from "./charge.ts";
import { type ChargeDependencies, pursueCharges } from "./charge-order.ts";
import { findChargeUnderWay, insertCharge } from "./charge-store.ts";
import { type Collection, waitForOtherMs } from "./collection.ts";
import { lockCollection, saveCollection } from "./collection-store.ts";
import { followFailure } from "./end-charge.ts";
import { type LinkDependencies, pursueLinks } from "./link-order.ts";
import { book, planNextDueDate } from "./plan-collection.ts";
import { pursueCardRefunds } from "./refund-order.ts";

export type CardTaskDependencies = LinkDependencies & ChargeDependencies;

export const cardTaskKinds = [
  linkTask,
  unlinkTask,
  chargeTask,
  lateMoneyTask,
  takeBackTask,
  refundTask,
  collectTask,
] as const;

export function cardTasks(deps: CardTaskDependencies): [string, TaskKind][] {
  const slow = (handle: (environmentId: string, id: string) => Promise<void>): TaskKind => ({
    pace: "slow",
    handle: ({ environmentId, subject }) => handle(environmentId, subject),
  });
  return [
    [linkTask, takeUpTask(pursueLinks(deps))],
    [unlinkTask, slow((environmentId, id) => unlink(deps, environmentId, id))],
    [chargeTask, takeUpTask(pursueCharges(deps))],
    [lateMoneyTask, slow((environmentId, id) => returnLateMoney(deps, { environmentId, id }))],
    [takeBackTask, slow((environmentId, id) => followTakenBack(deps, { environmentId, id }))],
    [refundTask, takeUpTask(pursueCardRefunds(deps))],
    [collectTask, slow((environmentId, loanId) => collect(deps, environmentId, loanId))],
  ];
}

const unlinkAgainMs = 15 * 60_000;

/** Has the network forget a removed card; a second time changes nothing there. */
async function unlink(deps: CardTaskDependencies, environmentId: string, id: string): Promise<void> {
  const { db, sealer, rails } = deps;
  const found = await readEnvironment(db, environmentId, async (tx) => ({
    card: await openToken(tx, sealer, id, { removed: true }),
    kind: tx.environment.kind,
  }));
  if (found.card === undefined) return;
  const { token, connectionId } = found.card;
  const rail = await rails.card.bound({ environmentId, kind: found.kind }, connectionId);
  const { outcome } = await rail.unlink({ environmentId, token });
  await inEnvironment(db, environmentId, async (tx) => {
    if (outcome === "unlinked") return forgetToken(tx, id);
    const dueAt = tx.environment.clock.after(unlinkAgainMs);
    await schedule(tx, [{ kind: unlinkTask, subject: id, dueAt }]);
  });
}

export const cardSweepSources: readonly SweepSource[] = [
  idleOrders("card_link", "sent", linkTask),
  workOf("removed cards that a network is to forget", unlinkTask, "unlink"),
  idleOrders("card_charge", "sent", chargeTask),
  workOf("card collections", collectTask, "collection"),
  idleOrders("card_refund", "sent", refundTask),
];

function workOf(name: string, kind: string, wanted: string): SweepSource {
  return recordsById({ name, kind }, "find_card_work", wanted);
}

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
