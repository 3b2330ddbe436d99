/** The end of a loan before its money is out: taken back, not granted, or not completed in time. */
import { cancelLoanAccount, rejectLoanAccount } from "../../lending/account/move-loan-account.ts";
import type { Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import { cancelScheduled, schedule } from "../../platform/work/agenda.ts";
import { announceCheckoutLoan } from "./announce-checkout-loan.ts";
import { type CheckoutLoan, canMove, isPending } from "./checkout-loan.ts";
import { findCheckoutLoan } from "./checkout-loan-store.ts";
import { checkoutLoanProblem } from "./errors.ts";
import type { LoanFollowing } from "./loan-moved.ts";
import { requireCheckoutLoan } from "./read-checkout-loan.ts";
import { disburseTask, expireTask } from "./tasks.ts";

/** Takes a locked loan back while no money is on its way. Throws invalid_state or checkout_loan_being_disbursed. */
export async function cancelCheckoutLoan(tx: Tx, deps: LoanFollowing, loan: CheckoutLoan): Promise<CheckoutLoan> {
  refuseUnlessPossible(loan, "cancelled");
  if (loan.disbursementId !== null) throw checkoutLoanProblem("checkout_loan_being_disbursed");
  await cancelLoanAccount(tx, { accountId: loan.accountId, announce: announceCheckoutLoan(deps) });
  return takeOffAgenda(tx, loan.id);
}

/** By an operator. Throws invalid_state. */
export async function rejectCheckoutLoan(tx: Tx, deps: LoanFollowing, id: string): Promise<CheckoutLoan> {
  const loan = await requireCheckoutLoan(tx, id, { lock: true });
  refuseUnlessPossible(loan, "rejected");
  await rejectLoanAccount(tx, { accountId: loan.accountId, announce: announceCheckoutLoan(deps) });
  return takeOffAgenda(tx, id);
}

/** Ends a loan whose requirements were not met, whatever time is left. One that has moved on stays as it is. */
export async function expireCheckoutLoan(tx: Tx, deps: LoanFollowing, id: string): Promise<void> {
  const loan = await lockPending(tx, id);
  if (loan !== undefined) await expire(tx, deps, loan);
}

/** The task: a sweeper may wake it early, and a clock that was set back leaves the loan its time. */
export async function expireWhenDue(tx: Tx, deps: LoanFollowing, id: string): Promise<void> {
  const loan = await lockPending(tx, id);
  if (loan === undefined) return;
  if (tx.environment.clock.now() >= loan.expiresAt) return expire(tx, deps, loan);
  await schedule(tx, [{ kind: expireTask, subject: id, dueAt: loan.expiresAt }]);
}

async function lockPending(tx: Tx, id: string): Promise<CheckoutLoan | undefined> {
  const loan = await findCheckoutLoan(tx, id, { lock: true });
  return loan !== undefined && isPending(loan.status) ? loan : undefined;
}

async function expire(tx: Tx, deps: LoanFollowing, { id, accountId }: CheckoutLoan): Promise<void> {
  await cancelLoanAccount(tx, { accountId, announce: announceCheckoutLoan(deps, "expired") });
  await cancelScheduled(tx, expireTask, [id]);
}

function refuseUnlessPossible({ status }: CheckoutLoan, to: "cancelled" | "rejected"): void {
  if (canMove(status, to)) return;
  throw commonProblem("invalid_state", {
    message: `The loan is ${status} and can no longer be ${to}.`,
    data: { status },
  });
}

async function takeOffAgenda(tx: Tx, id: string): Promise<CheckoutLoan> {
  await cancelScheduled(tx, expireTask, [id]);
  await cancelScheduled(tx, disburseTask, [id]);
  return requireCheckoutLoan(tx, id);
}
