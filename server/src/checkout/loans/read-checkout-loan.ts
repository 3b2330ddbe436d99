import { type LoanView, readLoanAccount } from "../../lending/read-loan-account.ts";
import type { Tx } from "../../platform/database/database.ts";
import { isUuid } from "../../platform/database/ids.ts";
import type { CheckoutLoan } from "./checkout-loan.ts";
import { findCheckoutLoan, readLoansOf } from "./checkout-loan-store.ts";
import { checkoutLoanProblem } from "./errors.ts";

/** Throws checkout_loan_not_found, also for what is another merchant's. */
export async function requireCheckoutLoan(tx: Tx, id: string, options = { lock: false }): Promise<CheckoutLoan> {
  const loan = isUuid(id) ? await findCheckoutLoan(tx, id, options) : undefined;
  if (loan === undefined) throw checkoutLoanProblem("checkout_loan_not_found");
  return loan;
}

/** The loan account behind it, with all figures. */
export async function readCheckoutLoanView(tx: Tx, loan: CheckoutLoan): Promise<LoanView> {
  const view = await readLoanAccount(tx, loan.reference);
  if (view === undefined) throw new Error(`checkout loan ${loan.id} has no account`);
  return view;
}

/** Those that are disbursed, active or overdue, newest first. */
export function readActiveLoans(tx: Tx, customerId: string): Promise<CheckoutLoan[]> {
  return readLoansOf(tx, customerId);
}
