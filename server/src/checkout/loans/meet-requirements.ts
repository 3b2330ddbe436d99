/**
 * Consent and card are required before a loan is granted. The code that meets one of them says so here, in the
 * transaction that met it; the loan then waits for the other, or is approved and paid out.
 *
 * The customer and the loan are locked by the caller, so that of consent and card the later one sees the other.
 */
import { approveLoanAccount, rejectLoanAccount } from "../../lending/account/move-loan-account.ts";
import type { Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import { cancelScheduled } from "../../platform/work/agenda.ts";
import { bookDisbursement } from "../../transfers/payouts/disbursement.ts";
import { type Customer, hasCardForLoans, isOwner } from "../customers/customer.ts";
import { announceCheckoutLoan } from "./announce-checkout-loan.ts";
import { type CheckoutLoan, isPending } from "./checkout-loan.ts";
import { lockLoansOf, updateCheckoutLoan } from "./checkout-loan-store.ts";
import { checkoutDisbursements } from "./disburse-checkout-loan.ts";
import type { LendingDependencies } from "./loan-moved.ts";
import { type LockedLoan, requireCheckoutLoan } from "./read-checkout-loan.ts";
import { decideEligibility } from "./read-eligibility.ts";
import { expireTask } from "./tasks.ts";

export type RequirementDependencies = LendingDependencies;

/** The customer has consented. Throws invalid_state when the loan does not wait for it; `meetRequirements` comes next. */
export async function noteConsent(tx: Tx, loan: CheckoutLoan): Promise<CheckoutLoan> {
  if (loan.status !== "pending_consent") {
    throw commonProblem("invalid_state", {
      message: `The loan is ${loan.status} and does not wait for consent.`,
      data: { status: loan.status },
    });
  }
  return updateCheckoutLoan(tx, loan, { consentStatus: "consented", consentedAt: tx.environment.clock.now() });
}

/** Takes the loan as far as its requirements allow and returns it as it is then. */
export async function meetRequirements(
  tx: Tx,
  deps: RequirementDependencies,
  { customer, loan }: LockedLoan,
): Promise<CheckoutLoan> {
  if (!isPending(loan.status) || loan.consentStatus !== "consented") return loan;
  return hasCardForLoans(customer) ? decide(tx, deps, { customer, loan }) : waitForMore(tx, deps, loan);
}

/** A card was linked, or an identity shown: every loan of the customer, who is locked, that waits for it goes on. */
export async function meetRequirementsOf(tx: Tx, deps: RequirementDependencies, customer: Customer): Promise<void> {
  for (const loan of await lockLoansOf(tx, customer, ["pending_card"])) {
    await meetRequirements(tx, deps, { customer, loan });
  }
}

/** For the card, or for what shows whose BVN it is. */
async function waitForMore(
  tx: Tx,
  { loanMoved }: RequirementDependencies,
  before: CheckoutLoan,
): Promise<CheckoutLoan> {
  if (before.status === "pending_card") return before;
  const loan = await updateCheckoutLoan(tx, before, { status: "pending_card" });
  await loanMoved(tx, loan, before.status);
  return loan;
}

/**
 * What the policy says today counts: KYC may have failed since the loan was asked for, another loan be overdue, or the
 * limit have fallen below the amount. A customer who may not borrow has a limit of 0.
 */
async function decide(tx: Tx, deps: RequirementDependencies, { customer, loan }: LockedLoan): Promise<CheckoutLoan> {
  const { maxAmount } = await decideEligibility(tx, deps.sealer, customer, { except: loan.id });
  // It waits for something that shows whose BVN this is: an operator's look, another card, the register.
  if (loan.amount <= maxAmount && !isOwner(customer, tx.environment.kind)) return waitForMore(tx, deps, loan);
  const command = { accountId: loan.accountId, announce: announceCheckoutLoan(deps) };
  await cancelScheduled(tx, expireTask, [loan.id]);
  if (loan.amount > maxAmount) {
    await rejectLoanAccount(tx, command);
  } else {
    await approveLoanAccount(tx, command);
    await bookDisbursement(tx, checkoutDisbursements, loan.id, tx.environment.kind);
  }
  // It has followed its account (`announceCheckoutLoan`).
  return requireCheckoutLoan(tx, loan.id);
}
