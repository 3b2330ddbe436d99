/**
 * What a worker does with a refund to a card. It may be killed at any line:
 *
 *   processing (committed) ──▶ refund ──▶ definite answer: refund booked, or failed
 *                                └──────▶ no answer: sent again by the agenda
 *
 * The network takes a second order under the same id for the same refund, hence whoever finds one `processing` just
 * sends it again.
 */
import { bookPromisedRefund } from "../../lending/refund-credit.ts";
import { inEnvironment, type Tx } from "../../platform/database/database.ts";
import { schedule } from "../../platform/work/agenda.ts";
import { delayAfter } from "../../rails/ask-again.ts";
import type { CardRefundAnswer } from "../../rails/card.ts";
import { cardRailFor } from "../../rails/registry.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { countRefundQuery, endCardRefund, findCardRefund, lockCardRefund } from "./card-refund-store.ts";
import type { ChargeFailure } from "./charge.ts";
import { findCharge } from "./charge-store.ts";
import type { ChargeDependencies, ChargeKey } from "./make-charge.ts";
import { refundTask } from "./tasks.ts";

export type CardRefundDependencies = Omit<ChargeDependencies, "sealer">;

/** Makes a refund that is committed, for the first time or again. */
export async function makeCardRefund(deps: CardRefundDependencies, key: ChargeKey): Promise<void> {
  const { environmentId, id: refundId } = key;
  const order = await inEnvironment(deps.db, environmentId, (tx) => readOrder(tx, refundId), { readOnly: true });
  if (order === undefined) return;
  const { chargeId, amount } = order.refund;
  const answer = await cardRailFor(deps.rails, order.kind).refund({ environmentId, refundId, chargeId, amount });
  await conclude(deps, key, answer);
}

async function readOrder(tx: Tx, id: string) {
  const refund = await findCardRefund(tx, id);
  if (refund?.status !== "processing") return undefined;
  return { refund, kind: tx.environment.kind };
}

async function conclude(deps: CardRefundDependencies, key: ChargeKey, answer: CardRefundAnswer): Promise<void> {
  await inEnvironment(deps.db, key.environmentId, async (tx) => {
    if (answer.outcome === "success") return endAsSuccessful(tx, deps, key.id);
    if (answer.outcome === "declined") return endAsFailed(tx, key.id, { code: answer.code, message: answer.message });
    await askLater(tx, deps, key.id);
  });
}

/**
 * The customer has the money, and the books say so whatever the loan's state has become: its way was promised to this
 * refund, so that nobody else has given the same money back.
 */
async function endAsSuccessful(tx: Tx, { announce }: CardRefundDependencies, id: string): Promise<void> {
  const held = await lockCardRefund(tx, id);
  if (held === undefined) return;
  const { reference: accountId } = await requireCheckoutLoan(tx, held.loanId);
  const repaymentId = (await findCharge(tx, held.chargeId))?.repaymentId;
  if (repaymentId == null) throw new Error(`charge ${held.chargeId} was refunded and had paid nothing`);
  const { amount, reference } = held;
  const way = { channel: "card", walletId: null, repaymentId } as const;
  const refund = await bookPromisedRefund(tx, { id, accountId, reference, ...way, amount, announce });
  await endCardRefund(tx, id, { to: "successful", at: refund.refundedAt });
}

async function endAsFailed(tx: Tx, id: string, failure: ChargeFailure): Promise<void> {
  if ((await lockCardRefund(tx, id)) === undefined) return;
  await endCardRefund(tx, id, { to: "failed", at: tx.environment.clock.now(), failure });
}

const remarkableQueries = 6;

/** Unknown is not failed: the refund goes on the agenda, at growing distances, for as long as it takes. */
async function askLater(tx: Tx, { log }: CardRefundDependencies, id: string): Promise<void> {
  const queries = await countRefundQuery(tx, id);
  if (queries === undefined) return;
  const dueAt = tx.environment.clock.after(delayAfter(queries));
  await schedule(tx, [{ kind: refundTask, subject: id, dueAt }]);
  const level = queries === remarkableQueries ? "warn" : "debug";
  log[level]({ cardRefundId: id, queries }, "the card network owes an answer about a refund");
}
