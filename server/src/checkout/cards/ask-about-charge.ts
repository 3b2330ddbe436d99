/**
 * Asks the network about a charge because somebody has said that there is news of it: a processor's notice, a developer
 * in a sandbox. What they say counts for nothing; what the network answers does, also about a charge that has ended:
 *
 *   under way    as always
 *   successful   taken back: its repayment is reversed, once; if the lender has lent the money again, when it has more
 *   failed       paid all the same: the loan does not expect that money any more, so it goes back to the card
 */
import { reverseRepayment } from "../../lending/collect/reverse-repayment.ts";
import { sum } from "../../money/arithmetic.ts";
import { inEnvironment, readEnvironment, type Tx } from "../../platform/database/database.ts";
import { Problem } from "../../platform/problem.ts";
import { schedule } from "../../platform/work/agenda.ts";
import type { TakenBack } from "../../rails/answer.ts";
import type { HintOutcome } from "../../rails/ask-about-order.ts";
import type { CardRail } from "../../rails/card.ts";
import type { OrderName } from "../../rails/pursue-order.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { listStandingRefunds } from "./card-refund-store.ts";
import { type Charge, lateMoneyTask, takeBackTask } from "./charge.ts";
import { type ChargeDependencies, pursueCharges } from "./charge-order.ts";
import { findCharge } from "./charge-store.ts";
import { promisedToCards } from "./refund-to-card.ts";

export async function askAboutCharge(deps: ChargeDependencies, name: OrderName): Promise<HintOutcome> {
  const found = await findWithRail(deps, name);
  if (found === undefined) return "not_ours";
  const { status, amount } = found.charge;
  if (status === "processing") {
    await pursueCharges(deps).takeUp(name);
    return "asked";
  }
  const { environmentId, id: chargeId } = name;
  const answer = await found.rail.query({ environmentId, chargeId, amount });
  if (answer.outcome === "unknown") return "unanswered";
  if (status === "successful" && answer.outcome === "taken_back") return takeBack(deps, name, answer);
  if (status === "failed" && answer.outcome === "success") {
    deps.log.error({ chargeId }, "a card has paid for a charge that had failed: the money goes back to the card");
    await inEnvironment(deps.db, environmentId, (tx) => schedule(tx, [{ kind: lateMoneyTask, subject: chargeId }]));
    return "disagrees";
  }
  return status === "successful" && answer.outcome === "declined" ? "disagrees" : "agrees";
}

interface ChargeAtRail {
  readonly charge: Charge;
  readonly rail: CardRail;
}

/** Undefined when the network was never asked for it. */
async function findWithRail(deps: ChargeDependencies, name: OrderName): Promise<ChargeAtRail | undefined> {
  const { environmentId } = name;
  const found = await readEnvironment(deps.db, environmentId, async (tx) => ({
    charge: await findCharge(tx, name.id),
    kind: tx.environment.kind,
  }));
  const { charge, kind } = found;
  if (charge === undefined || charge.cardId === null) return undefined;
  return { charge, rail: await deps.rails.card.bound({ environmentId, kind }, charge.connectionId) };
}

/**
 * The loan then stands as if the charge had never paid. A charge whose money we gave back ourselves is shown as taken
 * back by some networks: nothing happened that we do not know.
 */
async function takeBack(
  deps: ChargeDependencies,
  { environmentId, id }: OrderName,
  { message }: TakenBack,
): Promise<HintOutcome> {
  try {
    await inEnvironment(deps.db, environmentId, (tx) => reverse(tx, deps, id, message));
    return "taken_back";
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === "lender_funds_short") return waitForLender(deps, { environmentId, id }, error);
    if (error.code !== "repayment_refunded") throw error;
    const isAllOurs = await readEnvironment(deps.db, environmentId, (tx) => wasRefunded(tx, id));
    if (isAllOurs) return "agrees";
    deps.log.error({ chargeId: id }, "a network took back a charge of which a part was refunded: look into it");
    return "disagrees";
  }
}

const lenderAgainMs = 60 * 60_000;

/** The money is with the holder, so the loan must follow; until then the lender's books show it as repaid. */
async function waitForLender(deps: ChargeDependencies, name: OrderName, { data }: Problem): Promise<HintOutcome> {
  const told = { chargeId: name.id, short: data?.["short"] };
  deps.log.error(told, "a charge was taken back and the lender's funds do not cover it: put money in");
  await followLater(deps, name, lenderAgainMs);
  return "lender_short";
}

function followLater({ db }: ChargeDependencies, { environmentId, id }: OrderName, delayMs: number): Promise<void> {
  return inEnvironment(db, environmentId, (tx) =>
    schedule(tx, [{ kind: takeBackTask, subject: id, dueAt: tx.environment.clock.after(delayMs) }]),
  );
}

/** Once more what a hint began; nothing happens when an operator has reversed the repayment meanwhile. */
export async function followTakenBack(deps: ChargeDependencies, name: OrderName): Promise<void> {
  const outcome = await askAboutCharge(deps, name);
  if (outcome === "unanswered") await followLater(deps, name, lenderAgainMs);
}

async function reverse(tx: Tx, { announce }: ChargeDependencies, id: string, reason: string): Promise<void> {
  const charge = await findCharge(tx, id);
  if (charge === undefined || charge.repaymentId === null) return;
  const { accountId } = await requireCheckoutLoan(tx, charge.loanId);
  const promised = () => promisedToCards(tx, charge.loanId);
  await reverseRepayment(tx, { accountId, repaymentId: charge.repaymentId, reason, promised, announce });
}

async function wasRefunded(tx: Tx, id: string): Promise<boolean> {
  const charge = await findCharge(tx, id);
  if (charge === undefined) return false;
  const refunds = (await listStandingRefunds(tx, charge.loanId)).filter(({ chargeId }) => chargeId === id);
  return sum(refunds.map(({ amount }) => amount)) === charge.amount;
}

const askAgainMs = 6 * 60 * 60_000;

/** One charge is returned once: its own id is also that of the refund. */
export async function returnLateMoney(deps: ChargeDependencies, name: OrderName): Promise<void> {
  const found = await findWithRail(deps, name);
  if (found?.charge.status !== "failed") return;
  const { environmentId, id: chargeId } = name;
  const { outcome } = await found.rail.refund({
    environmentId,
    refundId: chargeId,
    chargeId,
    amount: found.charge.amount,
  });
  if (outcome === "declined")
    deps.log.error({ chargeId }, "money of a failed charge could not be returned to its card");
  if (outcome !== "unknown") return;
  await inEnvironment(deps.db, environmentId, async (tx) => {
    const dueAt = tx.environment.clock.after(askAgainMs);
    await schedule(tx, [{ kind: lateMoneyTask, subject: chargeId, dueAt }]);
  });
}
