import { type LoanView, readLoanAccount } from "../../lending/account/read-loan-account.ts";
import type { Tx } from "../../platform/database/database.ts";
import { isUuid } from "../../platform/database/ids.ts";
import { findOnlyPlace } from "../../platform/records/only-place.ts";
import type { Customer } from "../customers/customer.ts";
import { lockCustomerOfLoan } from "../customers/customer-store.ts";
import type { CheckoutLoan } from "./checkout-loan.ts";
import { findCheckoutLoan, readLoansOf } from "./checkout-loan-store.ts";
import { checkoutLoanProblem } from "./errors.ts";

/** Throws checkout_loan_not_found, also for what is another merchant's. */
export async function requireCheckoutLoan(tx: Tx, id: string, options = { lock: false }): Promise<CheckoutLoan> {
  const loan = isUuid(id) ? await findCheckoutLoan(tx, id, options) : undefined;
  if (loan === undefined) throw checkoutLoanProblem("checkout_loan_not_found");
  return loan;
}

/** Where a loan is that an operator names by its id alone. Throws checkout_loan_not_found. */
export async function findLoanEnvironment(tx: Tx, id: string): Promise<string> {
  const place = await findOnlyPlace(tx, "checkout_loans", id);
  if (place === undefined) throw checkoutLoanProblem("checkout_loan_not_found");
  return place;
}

/** A loan that is to be changed and its customer, both locked. A function that is handed one reads neither again. */
export interface LockedLoan {
  readonly customer: Customer;
  readonly loan: CheckoutLoan;
}

/** Locks: the customer before the loan, as always. Throws checkout_loan_not_found. */
export async function lockCheckoutLoan(tx: Tx, id: string): Promise<LockedLoan> {
  const customer = isUuid(id) ? await lockCustomerOfLoan(tx, id) : undefined;
  if (customer === undefined) throw checkoutLoanProblem("checkout_loan_not_found");
  return { customer, loan: await requireCheckoutLoan(tx, id, { lock: true }) };
}

/** The loan account behind it, with all figures. */
export async function readCheckoutLoanView(tx: Tx, loan: CheckoutLoan): Promise<LoanView> {
  const view = await readLoanAccount(tx, loan.accountId);
  if (view === undefined) throw new Error(`checkout loan ${loan.id} has no account`);
  return view;
}

/** Those that are disbursed, active or overdue, newest first. */
export function readActiveLoans(tx: Tx, customerId: string): Promise<CheckoutLoan[]> {
  return readLoansOf(tx, customerId);
}
