/**
 * A refund as an order to the card network. It is `processing` from the moment it exists. The network takes a second
 * order under the same id for the same refund, so to ask about one is to send it again.
 */
import { sql } from "kysely";
import { bookPromisedRefund } from "../../lending/collect/refund-credit.ts";
import { inEnvironment, type Tx } from "../../platform/database/database.ts";
import type { Unknown } from "../../rails/answer.ts";
import type { CardRefundAnswer } from "../../rails/card.ts";
import { type OpenOrder, type OrderKey, openOrder } from "../../rails/order.ts";
import { countQueries } from "../../rails/orders.ts";
import { type Pursuit, pursue } from "../../rails/pursue-order.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import type { CardRefund } from "./card-refund.ts";
import { claimSending, endCardRefund, findCardRefund, lockCardRefund } from "./card-refund-store.ts";
import { type ChargeFailure, refundTask } from "./charge.ts";
import type { ChargeDependencies } from "./charge-order.ts";
import { findCharge } from "./charge-store.ts";

export type CardRefundDependencies = Omit<ChargeDependencies, "sealer">;

interface RefundOrder extends CardRefund {
  /** Of its charge, which never moves. */
  readonly connectionId: string | null;
}

export function pursueCardRefunds(deps: CardRefundDependencies): Pursuit<RefundOrder> {
  const railOf = (key: OrderKey, { connectionId }: RefundOrder) => deps.rails.card.bound(key, connectionId);
  const orderOf = ({ environmentId }: OrderKey, { id: refundId, chargeId, amount }: RefundOrder) => ({
    environmentId,
    refundId,
    chargeId,
    amount,
  });
  return pursue<RefundOrder, Exclude<CardRefundAnswer, Unknown>>(deps, {
    noun: "card refund",
    rail: "the card network",
    task: refundTask,
    find: findOrder,
    send: async (key, refund) => {
      const rail = await railOf(key, refund);
      const isOurs = await inEnvironment(deps.db, key.environmentId, (tx) => claimSending(tx, refund));
      return isOurs ? rail.refund(orderOf(key, refund)) : { outcome: "unknown", code: "sent_by_another" };
    },
    query: async (key, refund) => (await railOf(key, refund)).queryRefund(orderOf(key, refund)),
    // The port promises that a second order under the id is the same refund, once the first has had its time.
    resend: async (key, refund) => ({ recognised: true, afterMs: (await railOf(key, refund)).settleWindowMs }),
    countQueries: (tx, refunds) =>
      countQueries(tx, "card_refunds", refunds, sql`updated_at = ${tx.environment.clock.now()}`),
    end: async ({ environmentId, id }, _, answer) => {
      await inEnvironment(deps.db, environmentId, (tx) =>
        answer.outcome === "success"
          ? endAsSuccessful(tx, deps, id)
          : endAsFailed(tx, id, { code: answer.code, message: answer.message }),
      );
      return true;
    },
  });
}

async function findOrder(tx: Tx, id: string): Promise<OpenOrder<RefundOrder> | undefined> {
  const refund = await findCardRefund(tx, id);
  if (refund === undefined) return undefined;
  const connectionId = (await findCharge(tx, refund.chargeId))?.connectionId ?? null;
  return openOrder(tx, { ...refund, connectionId }, refund.sentAt ?? refund.createdAt);
}

/**
 * The customer has the money, and the books say so whatever the loan's state has become: its way was promised to this
 * refund, so that nobody else has given the same money back.
 */
async function endAsSuccessful(tx: Tx, { announce }: CardRefundDependencies, id: string): Promise<void> {
  const held = await lockCardRefund(tx, id);
  if (held === undefined) return;
  const { accountId } = await requireCheckoutLoan(tx, held.loanId);
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
