/**
 * Consent and card are required before a loan is granted. Whoever meets one of them says so here, in the transaction
 * that met it; the loan then waits for the other, or is approved and paid out.
 *
 * Locks: the customer before the loan, as everywhere, so that of consent and card the later one sees the other.
 */
import { approveLoanAccount, rejectLoanAccount } from "../../lending/decide-loan-account.ts";
import type { Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import { cancelScheduled } from "../../platform/work/agenda.ts";
import { bookPayout } from "../../transfers/loan-payout.ts";
import { type Customer, hasCardForLoans } from "../customers/customer.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { announceCheckoutLoan } from "./announce-checkout-loan.ts";
import { type CheckoutLoan, isPending } from "./checkout-loan.ts";
import { readLoansOf, updateCheckoutLoan } from "./checkout-loan-store.ts";
import { checkoutPayouts } from "./disburse-checkout-loan.ts";
import type { LendingDependencies } from "./loan-moved.ts";
import { requireCheckoutLoan } from "./read-checkout-loan.ts";
import { decideEligibility } from "./read-eligibility.ts";
import { expireTask } from "./tasks.ts";

export type RequirementDependencies = LendingDependencies;

/** The customer has consented. Throws invalid_state when the loan does not wait for it; `meetRequirements` comes next. */
export async function noteConsent(tx: Tx, loanId: string): Promise<void> {
  const loan = await requireCheckoutLoan(tx, loanId, { lock: true });
  if (loan.status !== "pending_consent") {
    throw commonProblem("invalid_state", {
      message: `The loan is ${loan.status} and does not wait for consent.`,
      data: { status: loan.status },
    });
  }
  const change = { consentStatus: "consented", consentedAt: tx.environment.clock.now() } as const;
  if (!(await updateCheckoutLoan(tx, loan, change))) throw new Error(`checkout loan ${loanId} was not locked`);
}

/** Takes the loan as far as its requirements allow and returns it as it is then. */
export async function meetRequirements(tx: Tx, deps: RequirementDependencies, loanId: string): Promise<CheckoutLoan> {
  const { customerId } = await requireCheckoutLoan(tx, loanId);
  const customer = await requireCustomer(tx, customerId, { lock: true });
  const loan = await requireCheckoutLoan(tx, loanId, { lock: true });
  if (!isPending(loan.status) || loan.consentStatus !== "consented") return loan;
  if (!hasCardForLoans(customer)) await waitForCard(tx, deps, loan);
  else await decide(tx, deps, loan, customer);
  return requireCheckoutLoan(tx, loanId);
}

/** A card was linked: every loan of the customer that waits for one goes on. */
export async function meetRequirementsOf(tx: Tx, deps: RequirementDependencies, customerId: string): Promise<void> {
  await requireCustomer(tx, customerId, { lock: true });
  for (const { id } of await readLoansOf(tx, customerId, ["pending_card"])) await meetRequirements(tx, deps, id);
}

async function waitForCard(tx: Tx, { loanMoved }: RequirementDependencies, loan: CheckoutLoan): Promise<void> {
  if (loan.status === "pending_card") return;
  if (!(await updateCheckoutLoan(tx, loan, { status: "pending_card" }))) {
    throw new Error(`checkout loan ${loan.id} was not locked`);
  }
  await loanMoved(tx, await requireCheckoutLoan(tx, loan.id), loan.status);
}

/**
 * What the policy says today counts: KYC may have failed since the loan was asked for, another loan be overdue, or the
 * limit have fallen below the amount.
 */
async function decide(tx: Tx, deps: RequirementDependencies, loan: CheckoutLoan, customer: Customer): Promise<void> {
  const { maxAmount } = await decideEligibility(tx, deps.sealer, customer, { except: loan.id });
  const command = { accountId: loan.reference, announce: announceCheckoutLoan(deps) };
  await cancelScheduled(tx, expireTask, [loan.id]);
  // Nothing is left for who may not borrow at all.
  if (loan.amount > maxAmount) {
    await rejectLoanAccount(tx, command);
    return;
  }
  await approveLoanAccount(tx, command);
  const { kind } = tx.environment;
  await bookPayout(tx, checkoutPayouts, loan.id, kind);
}
