/**
 * The moves of a loan account that its owner or an operator asks for: approval, rejection, cancellation, disbursement,
 * the return of a disbursement, and the write-off. Each throws invalid_state where the table has no such move. The
 * disbursement itself is a transfer, which moves the lender's funds.
 */
import type { Tx } from "../../platform/database/database.ts";
import { lagosDate } from "../../platform/time/lagos-date.ts";
import { scheduled } from "../position/instalment.ts";
import { bookAgeing, moveLoan, wrongState } from "./change-loan.ts";
import { lockLoan } from "./loan.ts";
import { type Announce, canMove, type LoanAccount } from "./loan-account.ts";
import { writePlan } from "./loan-account-store.ts";

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

/** Fixes the plan from today on and books the principal; `active` follows `disbursed` at once. */
export async function disburseLoanAccount(tx: Tx, { accountId, announce }: LoanCommand): Promise<LoanAccount> {
  const loan = await lockLoan(tx, accountId);
  if (!canMove(loan.account.status, "disbursed")) throw wrongState(loan.account.status);
  const now = tx.environment.clock.now();
  const startDate = lagosDate(now);
  const instalments = scheduled(loan.product, loan.account, startDate);
  await writePlan(tx, accountId, instalments);
  const change = { account: { startDate, disbursedAt: now, accrued: 0 }, history: { instalments } };
  const disbursed = await moveLoan(tx, loan, "disbursed", { announce, change, narration: "Loan paid out" });
  const active = await moveLoan(tx, disbursed, "active", { announce });
  await bookAgeing(tx, active);
  return active.account;
}

/**
 * The bank sent the money back after all: the loan is approved again and can be paid out again. Interest and late fees
 * of the time between are taken back with it. Once something was repaid or refunded this is refused, for somebody
 * must decide.
 */
export async function returnDisbursement(tx: Tx, { accountId, announce }: LoanCommand): Promise<LoanAccount> {
  const loan = await lockLoan(tx, accountId);
  const { status } = loan.account;
  const moved = loan.history.repayments.length + loan.history.reductions.length;
  if (!canMove(status, "approved") || status === "pending" || moved > 0) throw wrongState(status);
  const startDate = lagosDate(tx.environment.clock.now());
  const instalments = scheduled(loan.product, loan.account, startDate);
  await writePlan(tx, accountId, instalments);
  const change = { account: { startDate, disbursedAt: null, accrued: 0 }, history: { instalments } };
  const returned = await moveLoan(tx, loan, "approved", { announce, change, narration: "Loan returned by the bank" });
  await bookAgeing(tx, returned);
  return returned.account;
}

/**
 * Gives an overdue loan up: principal, interest and fees that are owed become losses, and time changes it no more. What
 * the borrower owes stays visible as the balance.
 */
export async function writeOffLoanAccount(tx: Tx, { accountId, announce }: LoanCommand): Promise<LoanAccount> {
  const loan = await lockLoan(tx, accountId);
  const writtenOffAt = loan.account.version + 1;
  const change = { account: { writtenOffAt, closedAt: tx.environment.clock.now() } };
  const written = await moveLoan(tx, loan, "written_off", { announce, change, narration: "Loan written off" });
  await bookAgeing(tx, written);
  return written.account;
}
