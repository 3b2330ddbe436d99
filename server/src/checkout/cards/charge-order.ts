/** A charge as an order to the card network. It is `processing` from the moment it exists. */
import { sql } from "kysely";
import type { Announce } from "../../lending/account/loan-account.ts";
import { type Database, inEnvironment, type Tx } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import { Problem } from "../../platform/problem.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { NoRecord, Unknown } from "../../rails/answer.ts";
import type { CardQueryAnswer, NeedsHolder } from "../../rails/card.ts";
import type { CardRails } from "../../rails/desk.ts";
import { type OpenOrder, type OrderKey, openOrder } from "../../rails/order.ts";
import { countQueries } from "../../rails/orders.ts";
import { type Pursuit, pursue } from "../../rails/pursue-order.ts";
import { openToken } from "./card-store.ts";
import { type Charge, cardNotLinked, chargeTask } from "./charge.ts";
import { findCharge, keepConfirmUrl } from "./charge-store.ts";
import { endAsFailed, endAsSuccessful } from "./end-charge.ts";

export interface ChargeDependencies {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly rails: CardRails;
  readonly log: Logger;
  /** Tells the merchant of repayments. */
  readonly announce: Announce;
}

interface ChargeOrder extends Charge {
  /** Undefined when the card was removed meanwhile. */
  readonly token: string | undefined;
}

type DefiniteAnswer = Exclude<CardQueryAnswer, Unknown | NoRecord | NeedsHolder>;

export function pursueCharges(deps: ChargeDependencies): Pursuit<ChargeOrder> {
  const { db, rails, sealer } = deps;
  const railOf = (key: OrderKey, { connectionId }: Charge) => rails.card.bound(key, connectionId);
  /** What only the holder can decide is not decided yet. */
  const untilConfirmed = async <Answer extends CardQueryAnswer>({ environmentId, id }: OrderKey, answer: Answer) => {
    if (answer.outcome !== "needs_holder") return answer as Exclude<Answer, NeedsHolder>;
    await inEnvironment(db, environmentId, (tx) => keepConfirmUrl(tx, sealer, id, answer.url));
    return { outcome: "unknown", code: "needs_holder" } as const;
  };
  return pursue<ChargeOrder, DefiniteAnswer>(deps, {
    noun: "charge",
    rail: "the card network",
    task: chargeTask,
    find: (tx, id) => findOrder(tx, sealer, id),
    send: async (key, charge) => {
      const { id: chargeId, loanId, amount, token } = charge;
      if (token === undefined) return { outcome: "declined", ...cardNotLinked };
      const narration = `Loan repayment ${loanId}`;
      const order = { environmentId: key.environmentId, chargeId, token, amount, narration };
      return untilConfirmed(key, await (await railOf(key, charge)).charge(order));
    },
    query: async (key, charge) =>
      untilConfirmed(
        key,
        await (await railOf(key, charge)).query({
          environmentId: key.environmentId,
          chargeId: key.id,
          amount: charge.amount,
        }),
      ),
    resend: async (key, charge) => {
      const { deduplicatesByCharge, settleWindowMs } = await railOf(key, charge);
      return { recognised: deduplicatesByCharge, afterMs: settleWindowMs };
    },
    countQueries: (tx, charges) =>
      countQueries(tx, "card_charges", charges, sql`updated_at = ${tx.environment.clock.now()}`),
    end: async (key, _, answer) => {
      if (answer.outcome === "success") return takeMoney(deps, key);
      const failure = { code: answer.code, message: answer.message };
      await inEnvironment(deps.db, key.environmentId, (tx) => endAsFailed(tx, key.id, failure));
      return true;
    },
  });
}

async function findOrder(tx: Tx, sealer: Sealer, id: string): Promise<OpenOrder<ChargeOrder> | undefined> {
  const charge = await findCharge(tx, id);
  if (charge?.status !== "processing" || charge.cardId === null) return undefined;
  const card = await openToken(tx, sealer, charge.cardId);
  return openOrder(tx, { ...charge, token: card?.token }, charge.createdAt);
}

/**
 * The card has paid. Should the loan take no money at this moment, because the bank has sent its disbursement back, the
 * charge stays open and is asked about again: the loan is paid out again, and the repayment recorded then.
 */
async function takeMoney(deps: ChargeDependencies, { environmentId, id }: OrderKey): Promise<boolean> {
  try {
    await inEnvironment(deps.db, environmentId, (tx) => endAsSuccessful(tx, deps, id));
    return true;
  } catch (error) {
    if (!(error instanceof Problem && error.code === "invalid_state")) throw error;
    deps.log.error({ chargeId: id, err: error }, "a card has paid for a loan that takes no money now");
    return false;
  }
}
