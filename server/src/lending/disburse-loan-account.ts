/** The money left, or came back. The disbursement itself is a transfer, which moves the lender's funds. */
import type { Tx } from "../platform/database/database.ts";
import { lagosDate } from "../platform/time/lagos-date.ts";
import { bookAgeing, moveLoan, wrongState } from "./change-loan.ts";
import type { LoanCommand } from "./decide-loan-account.ts";
import { lockLoan } from "./loan.ts";
import { canMove, type LoanAccount } from "./loan-account.ts";
import { writePlan } from "./loan-account-store.ts";
import { scheduled } from "./plan.ts";

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
