import type { Tx } from "../platform/database/database.ts";
import { bookAgeing, moveLoan } from "./change-loan.ts";
import type { LoanCommand } from "./decide-loan-account.ts";
import { lockLoan } from "./loan.ts";
import type { LoanAccount } from "./loan-account.ts";

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
