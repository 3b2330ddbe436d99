/** A customer's credit, given back to the card that paid. */
import type { Loan } from "../../lending/account/loan.ts";
import { lockRefundable } from "../../lending/collect/refund-credit.ts";
import { refundReferences } from "../../lending/position/repayment.ts";
import type { PromisedRefund } from "../../lending/position/ways.ts";
import { larger, subtract, sum } from "../../money/arithmetic.ts";
import { type Kobo, nairaNumber, zeroKobo } from "../../money/kobo.ts";
import { inEnvironment, readEnvironment, type Tx } from "../../platform/database/database.ts";
import { commonProblem, type Problem } from "../../platform/problem.ts";
import { claimReferences } from "../../platform/records/reference-claims.ts";
import { type CardRails, openRail, railUser } from "../../rails/desk.ts";
import type { CheckoutLoan } from "../loans/checkout-loan.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import type { CardRefund } from "./card-refund.ts";
import { findCardRefund, insertCardRefund, listStandingRefunds } from "./card-refund-store.ts";
import type { Charge, ChargeFailure } from "./charge.ts";
import type { ChargeCommand } from "./charge-card.ts";
import { listPaidCharges } from "./charge-store.ts";
import { cardProblem } from "./errors.ts";
import { type CardRefundDependencies, pursueCardRefunds } from "./refund-order.ts";

interface Begun {
  readonly refund: CardRefund;
  readonly replayed: boolean;
}

/**
 * Refunds a charge of the loan and returns the refund as it is then: successful, failed with the network's reason,
 * or processing when the network owes an answer. Throws what stands in the way.
 */
export async function refundToCard(deps: CardRefundDependencies, command: ChargeCommand): Promise<Begun> {
  const { environmentId } = command;
  const begun = await inEnvironment(deps.db, environmentId, (tx) => beginRefund(tx, deps, command));
  if (begun.replayed) return begun;
  const { id } = begun.refund;
  await pursueCardRefunds(deps).sendCommitted({ environmentId, id });
  const refund = await readEnvironment(deps.db, environmentId, (tx) => findCardRefund(tx, id));
  return { refund: refund ?? begun.refund, replayed: false };
}

/** What a failed refund returns. */
export function refundDeclinedProblem(failure: ChargeFailure): Problem {
  return cardProblem("card_refund_declined", { data: { reason: failure } });
}

/** What of a loan's credit is on its way to cards: for giving credit back by another channel. */
export async function promisedToCards(tx: Tx, loanId: string): Promise<PromisedRefund[]> {
  const processing = (await listStandingRefunds(tx, loanId)).filter(({ status }) => status === "processing");
  const charges = processing.length === 0 ? [] : await listPaidCharges(tx, loanId);
  return processing.map(({ chargeId, amount }) => {
    const repaymentId = charges.find(({ id }) => id === chargeId)?.repaymentId ?? null;
    return { channel: "card", walletId: null, repaymentId, amount };
  });
}

async function beginRefund(tx: Tx, { rails }: { readonly rails: CardRails }, command: ChargeCommand): Promise<Begun> {
  const { amount, reference } = command;
  const loan = await requireCheckoutLoan(tx, command.loanId);
  // Nothing is promised that nobody can be asked for.
  await openRail(rails.card, railUser(tx));
  const id = tx.environment.clock.newId();
  // Locks: the reference, for which a twin waits, and then the account, as where credit is given back at once.
  const [holder] = await claimReferences(tx, refundReferences, [{ references: [reference], recordId: id }]);
  if (holder != null) return { refund: replay(await findCardRefund(tx, holder), loan, amount), replayed: true };
  const promised = () => promisedToCards(tx, loan.id);
  const way = { channel: "card", walletId: null, repaymentId: null } as const;
  const wanted = { accountId: loan.accountId, ...way, amount, promised };
  const { loan: account } = await lockRefundable(tx, wanted);
  const charge = await findRefundableCharge(tx, loan.id, account, amount);
  const refund = { id, loanId: loan.id, chargeId: charge.id, reference, amount };
  return { refund: await insertCardRefund(tx, refund), replayed: false };
}

/** Undefined: the reference is that of a refund by another channel. */
function replay(earlier: CardRefund | undefined, loan: CheckoutLoan, amount: Kobo): CardRefund {
  if (earlier === undefined) throw commonProblem("reference_conflict", { data: { fields: ["channel"] } });
  const fields = [...(earlier.loanId === loan.id ? [] : ["loan_id"]), ...(earlier.amount === amount ? [] : ["amount"])];
  if (fields.length > 0) throw commonProblem("reference_conflict", { data: { fields } });
  return earlier;
}

/**
 * The newest charge that covers it. One refund is one order to the network, which either happens or does not: were it
 * split, a part could be refused when the other has gone.
 */
async function findRefundableCharge(tx: Tx, loanId: string, { history }: Loan, amount: Kobo): Promise<Charge> {
  const [charges, refunds] = [await listPaidCharges(tx, loanId), await listStandingRefunds(tx, loanId)];
  let largest = zeroKobo;
  for (const { id, reversedAt } of history.repayments.toReversed()) {
    const charge = charges.find(({ repaymentId }) => repaymentId === id);
    if (charge === undefined || reversedAt !== null) continue;
    const back = refunds.filter(({ chargeId }) => chargeId === charge.id).map((refund) => refund.amount);
    const rest = subtract(charge.amount, sum(back));
    if (rest >= amount) return charge;
    largest = larger(largest, rest);
  }
  throw cardProblem("card_refund_too_large", { data: { refundable: nairaNumber(largest) } });
}
