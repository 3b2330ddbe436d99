/** Moves before any money: approval, rejection, cancellation. Each throws invalid_state where it cannot be. */
import type { Tx } from "../platform/database/database.ts";
import { lagosDate } from "../platform/time/lagos-date.ts";
import { moveLoan, wrongState } from "./change-loan.ts";
import { lockLoan } from "./loan.ts";
import type { Announce, LoanAccount } from "./loan-account.ts";
import { writePlan } from "./loan-account-store.ts";
import { scheduled } from "./plan.ts";

export interface LoanCommand {
  readonly accountId: string;
  readonly announce: Announce;
}

/** Approves with a plan that starts today; disbursement fixes its dates. */
export async function approveLoanAccount(tx: Tx, { accountId, announce }: LoanCommand): Promise<LoanAccount> {
  const loan = await lockLoan(tx, accountId);
  // Checked before the plan is written: a refusal must not depend on the caller rolling back.
  if (loan.account.status !== "pending") throw wrongState(loan.account.status);
  const now = tx.environment.clock.now();
  const startDate = lagosDate(now);
  const instalments = scheduled(loan.product, loan.account, startDate);
  const change = { account: { startDate, approvedAt: now }, history: { instalments } };
  await writePlan(tx, accountId, instalments);
  return (await moveLoan(tx, loan, "approved", { announce, change })).account;
}

export async function rejectLoanAccount(tx: Tx, { accountId, announce }: LoanCommand): Promise<LoanAccount> {
  const loan = await lockLoan(tx, accountId);
  const change = { account: { closedAt: tx.environment.clock.now() } };
  return (await moveLoan(tx, loan, "rejected", { announce, change })).account;
}

/** The owner knows whether a disbursement is under way, and asks only when none is. */
export async function cancelLoanAccount(tx: Tx, { accountId, announce }: LoanCommand): Promise<LoanAccount> {
  const loan = await lockLoan(tx, accountId);
  const change = { account: { closedAt: tx.environment.clock.now() } };
  return (await moveLoan(tx, loan, "cancelled", { announce, change })).account;
}
