/**
 * What a worker does with a charge. It may be killed at any line:
 *
 *   processing (committed) ──▶ charge ──▶ definite answer: repayment recorded, or failed
 *                                └──────▶ no answer: ask again by the agenda
 *
 * Only who committed the charge orders it at once. Whoever finds it `processing` asks about its id first. If the
 * network has no record of it, and it recognises charge ids, and the settle window has passed, the order is sent again
 * under the same id; otherwise it waits, in the end for an operator.
 */
import type { Announce } from "../../lending/loan-account.ts";
import { findEnvironment } from "../../merchants/find-environment.ts";
import { type Database, type EnvironmentKind, inEnvironment, type Tx } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import { Problem } from "../../platform/problem.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { schedule } from "../../platform/work/agenda.ts";
import { delayAfter } from "../../rails/ask-again.ts";
import type { CardChargeAnswer } from "../../rails/card.ts";
import { type CardRails, cardRailFor } from "../../rails/registry.ts";
import { openToken } from "./card-store.ts";
import { type Charge, cardNotLinked } from "./charge.ts";
import { countChargeQuery, findCharge } from "./charge-store.ts";
import { endAsFailed, endAsSuccessful } from "./end-charge.ts";
import { chargeTask } from "./tasks.ts";

export interface ChargeDependencies {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly rails: CardRails;
  readonly log: Logger;
  /** Tells the merchant of repayments. */
  readonly announce: Announce;
}

export interface ChargeKey {
  readonly environmentId: string;
  readonly id: string;
}

interface Order {
  readonly charge: Charge;
  readonly kind: EnvironmentKind;
  /** Undefined when the card was removed meanwhile. */
  readonly token: string | undefined;
  readonly waitedMs: number;
}

/** Makes a charge that the caller has just committed. */
export async function makeCharge(deps: ChargeDependencies, key: ChargeKey): Promise<void> {
  const order = await readOrder(deps, key);
  if (order !== undefined) await send(deps, key, order);
}

/** Asks what became of a charge. */
export async function askAboutCharge(deps: ChargeDependencies, key: ChargeKey): Promise<void> {
  const order = await readOrder(deps, key);
  if (order === undefined) return;
  const rail = cardRailFor(deps.rails, order.kind);
  const answer = await rail.query({ environmentId: key.environmentId, chargeId: key.id });
  if (answer.outcome !== "no_record") return conclude(deps, key, answer);
  if (rail.deduplicatesByCharge && order.waitedMs >= rail.settleWindowMs) return send(deps, key, order);
  await conclude(deps, key, { outcome: "unknown" });
}

async function send(deps: ChargeDependencies, key: ChargeKey, { charge, kind, token }: Order): Promise<void> {
  if (token === undefined) return conclude(deps, key, { outcome: "declined", ...cardNotLinked });
  const answer = await cardRailFor(deps.rails, kind).charge({
    environmentId: key.environmentId,
    chargeId: charge.id,
    token,
    amount: charge.amount,
    narration: `Loan repayment ${charge.loanId}`,
  });
  await conclude(deps, key, answer);
}

function readOrder({ db, sealer }: ChargeDependencies, { environmentId, id }: ChargeKey): Promise<Order | undefined> {
  const read = async (tx: Tx): Promise<Order | undefined> => {
    const charge = await findCharge(tx, id);
    if (charge?.status !== "processing" || charge.cardId === null) return undefined;
    const { kind } = await findEnvironment(tx, environmentId);
    const token = await openToken(tx, sealer, charge.cardId);
    return { charge, kind, token, waitedMs: tx.environment.clock.now().getTime() - charge.createdAt.getTime() };
  };
  return inEnvironment(db, environmentId, read, { readOnly: true });
}

async function conclude(deps: ChargeDependencies, key: ChargeKey, answer: CardChargeAnswer): Promise<void> {
  if (answer.outcome === "success") return takeMoney(deps, key);
  await inEnvironment(deps.db, key.environmentId, async (tx) => {
    if (answer.outcome === "declined") return endAsFailed(tx, key.id, { code: answer.code, message: answer.message });
    await askLater(tx, deps, key.id);
  });
}

/**
 * The money is taken. Should the loan take none at this moment, because the bank has sent its disbursement back, the
 * charge stays open and is asked about again: the loan is paid out anew, and the repayment recorded then.
 */
async function takeMoney(deps: ChargeDependencies, { environmentId, id }: ChargeKey): Promise<void> {
  try {
    await inEnvironment(deps.db, environmentId, (tx) => endAsSuccessful(tx, deps, id));
  } catch (error) {
    if (!(error instanceof Problem && error.code === "invalid_state")) throw error;
    deps.log.error({ chargeId: id, err: error }, "a card has paid for a loan that takes no money now");
    await inEnvironment(deps.db, environmentId, (tx) => askLater(tx, deps, id));
  }
}

const remarkableQueries = 6;

/** Unknown is not failed: the question goes on the agenda, at growing distances, for as long as it takes. */
async function askLater(tx: Tx, { log }: ChargeDependencies, id: string): Promise<void> {
  const queries = await countChargeQuery(tx, id);
  if (queries === undefined) return;
  const dueAt = tx.environment.clock.after(delayAfter(queries));
  await schedule(tx, [{ kind: chargeTask, subject: id, dueAt }]);
  log[queries === remarkableQueries ? "warn" : "debug"]({ chargeId: id, queries }, "the card network owes an answer");
}
