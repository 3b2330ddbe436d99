/** A repayment by card that somebody asks for, between the collections that happen by themselves. */
import { lendingProblem } from "../../lending/collect/errors.ts";
import { repaymentReferences } from "../../lending/position/repayment.ts";
import { type Kobo, kobo, nairaNumber } from "../../money/kobo.ts";
import { inEnvironment, readEnvironment, type Tx } from "../../platform/database/database.ts";
import { commonProblem, type Problem } from "../../platform/problem.ts";
import { findByReference } from "../../platform/records/reference-claims.ts";
import { type CardRails, openRail, railUser } from "../../rails/desk.ts";
import type { CheckoutLoan } from "../loans/checkout-loan.ts";
import { lockCheckoutLoan, readCheckoutLoanView } from "../loans/read-checkout-loan.ts";
import { findDefaultCard } from "./card-store.ts";
import { type Charge, waitAfterDeclines } from "./charge.ts";
import { type ChargeDependencies, pursueCharges } from "./charge-order.ts";
import {
  findCharge,
  findChargeByReference,
  findChargeUnderWay,
  insertCharge,
  lockChargeReference,
  readDeclines,
} from "./charge-store.ts";
import { cardProblem, waitProblem } from "./errors.ts";

export interface ChargeCommand {
  readonly environmentId: string;
  readonly loanId: string;
  readonly amount: Kobo;
  /** The merchant's, or made for one press on a page: the same again is the same charge. */
  readonly reference: string;
  /** What the payer was shown as owed. When it is something else by now, nothing is charged. */
  readonly owed?: Kobo;
}

/**
 * Charges the customer's default card and returns the charge as it is then: successful with its repayment, failed
 * with the network's reason, or processing when the network owes an answer. Throws what stands in the way.
 */
export async function chargeCard(
  deps: ChargeDependencies,
  command: ChargeCommand,
): Promise<{ charge: Charge; replayed: boolean }> {
  const { environmentId } = command;
  const begun = await inEnvironment(deps.db, environmentId, (tx) => beginCharge(tx, deps, command));
  if (begun.replayed) return begun;
  const { id } = begun.charge;
  await pursueCharges(deps).sendCommitted({ environmentId, id });
  const charge = await readEnvironment(deps.db, environmentId, (tx) => findCharge(tx, id));
  return { charge: charge ?? begun.charge, replayed: false };
}

/** What a failed charge returns. */
export function declinedProblem({ failure }: Charge): Problem {
  return cardProblem("card_declined", { data: { reason: failure } });
}

const linkFirst =
  "The customer has no linked card. Link one with POST /loans/bnpl/customers/{customerId}/cards/link, or use the channel wallet, cash or bank_transfer.";

async function beginCharge(
  tx: Tx,
  { rails }: { readonly rails: CardRails },
  command: ChargeCommand,
): Promise<{ charge: Charge; replayed: boolean }> {
  const { amount, reference } = command;
  // Locks: the reference, which another loan or channel may be given too; the customer, over whose charges declines
  // are counted; and then the loan, under which no other charge can begin.
  await lockChargeReference(tx, reference);
  const { loan } = await lockCheckoutLoan(tx, command.loanId);
  const earlier = await findChargeByReference(tx, reference);
  if (earlier !== undefined) return { charge: replay(earlier, loan, amount), replayed: true };
  if ((await findByReference(tx, repaymentReferences, reference)) !== null) {
    throw commonProblem("reference_conflict", { data: { fields: ["channel"] } });
  }
  // No charge begins that nobody can be asked for: it would stand in the way of all others.
  await openRail(rails.card, railUser(tx));
  await refuseUnwanted(tx, loan, command);
  const card = await findDefaultCard(tx, loan.customerId);
  if (card === undefined) throw lendingProblem("card_not_linked", { message: linkFirst });
  if ((await findChargeUnderWay(tx, loan.id)) !== undefined) throw cardProblem("charge_in_progress");
  const { id: loanId, customerId } = loan;
  await refuseTooSoon(tx, { customerId, cardId: card.id });
  const { id: cardId, connectionId } = card;
  const wanted = { loanId, customerId, cardId, connectionId, amount, reference, dueDate: null } as const;
  return { charge: await insertCharge(tx, { ...wanted, kind: "repayment", attempt: 1 }), replayed: false };
}

/** A card that declines is asked again, but not at once: a thief who tries cards out needs many answers quickly. */
async function refuseTooSoon(tx: Tx, key: { readonly customerId: string; readonly cardId: string }): Promise<void> {
  const { count, lastAt } = await readDeclines(tx, key);
  const now = tx.environment.clock.now();
  const until = new Date((lastAt?.getTime() ?? 0) + waitAfterDeclines(count));
  if (count > 0 && until > now) throw waitProblem("card_charge_too_soon", now, until);
}

/**
 * For a repayment by another channel: a charge that has paid or may still pay keeps its reference. Throws
 * reference_conflict. Locks: the reference, so that no charge begins under it meanwhile.
 */
export async function refuseReferenceOfCharge(tx: Tx, reference: string): Promise<void> {
  await lockChargeReference(tx, reference);
  const charge = await findChargeByReference(tx, reference);
  if (charge === undefined || charge.status === "failed") return;
  throw commonProblem("reference_conflict", { data: { fields: ["channel"] } });
}

function replay(earlier: Charge, loan: CheckoutLoan, amount: Kobo): Charge {
  const fields = [...(earlier.loanId === loan.id ? [] : ["loan_id"]), ...(earlier.amount === amount ? [] : ["amount"])];
  if (fields.length > 0) throw commonProblem("reference_conflict", { data: { fields } });
  return earlier;
}

/** A card is not asked for more than is owed. */
async function refuseUnwanted(tx: Tx, loan: CheckoutLoan, { amount, owed }: ChargeCommand): Promise<void> {
  if (loan.status !== "active" && loan.status !== "overdue") {
    throw commonProblem("invalid_state", {
      message: `The loan is ${loan.status} and does not allow this.`,
      data: { status: loan.status },
    });
  }
  const { balance } = (await readCheckoutLoanView(tx, loan)).figures;
  if (owed !== undefined && owed !== balance) throw cardProblem("balance_changed");
  if (amount >= kobo(1n) && amount <= balance) return;
  throw commonProblem("amount_out_of_band", {
    message: "The card can be charged at most what is owed. data names the bounds.",
    data: { min_amount: nairaNumber(kobo(1n)), max_amount: nairaNumber(balance), currency: "NGN" },
  });
}
