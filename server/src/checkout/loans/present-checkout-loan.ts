/** A checkout loan in the words of the API. The plan is shown from the start, projected until the money is out. */

import type { LoanView } from "../../lending/account/read-loan-account.ts";
import { presentDueDate, presentProjectedSchedule } from "../../lending/account/schedule-on-wire.ts";
import { ratePercent } from "../../lending/pricing/product.ts";
import { nairaNumber } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { hasCardForLoans, isOwner } from "../customers/customer.ts";
import { findCustomer } from "../customers/customer-store.ts";
import { type CheckoutLoan, isPending } from "./checkout-loan.ts";
import { readCheckoutLoanView } from "./read-checkout-loan.ts";
import type { PresentedCheckoutLoan } from "./schemas.ts";

/** What GET shows and what every event about the loan carries. */
export async function presentCheckoutLoan(tx: Tx, loan: CheckoutLoan): Promise<PresentedCheckoutLoan> {
  const view = await readCheckoutLoanView(tx, loan);
  const { kind } = tx.environment;
  const { figures } = view;
  const schedules = presentProjectedSchedule(view);
  return {
    id: loan.id,
    customer_id: loan.customerId,
    reference: loan.accountId,
    amount: nairaNumber(loan.amount),
    tenor: loan.tenor,
    tenor_type: "monthly",
    interest_rate: ratePercent(view.rate),
    total_interest: nairaNumber(figures.totalInterest),
    total_repayment: nairaNumber(figures.totalRepayment),
    installment_amount: nairaNumber(view.instalmentAmount),
    balance: nairaNumber(figures.balance),
    credit: nairaNumber(view.credit),
    bank_account_no: loan.bankAccountNo,
    bank_code: loan.bankCode,
    bank_name: loan.bankName,
    account_name: loan.accountName,
    status: loan.status,
    consent_status: loan.consentStatus,
    requirements: await presentRequirements(tx, loan, view),
    schedules,
    next_due_date: figures.nextDueDate === null ? null : presentDueDate(figures.nextDueDate),
    environment: kind,
    created_at: loan.createdAt.toISOString(),
    updated_at: loan.updatedAt.toISOString(),
  };
}

/** A requirement that was met stays met, whatever becomes of the card later. */
async function presentRequirements(
  tx: Tx,
  loan: CheckoutLoan,
  { account }: LoanView,
): Promise<PresentedCheckoutLoan["requirements"]> {
  const customer = await findCustomer(tx, loan.customerId, { lock: false });
  if (customer === undefined) throw new Error(`loan ${loan.id} has no customer`);
  const wasApproved = account.approvedAt !== null;
  const linked = wasApproved || hasCardForLoans(customer);
  const waitsForIdentity = isPending(loan.status) && !isOwner(customer, tx.environment.kind);
  return [
    { type: "consent", status: loan.consentStatus === "consented" ? "met" : "pending" },
    { type: "card_link", status: linked ? "met" : "pending" },
    // Asked of few, so it is shown only to those who have to wait for it.
    ...(waitsForIdentity ? [{ type: "identity", status: "pending" } as const] : []),
  ];
}
