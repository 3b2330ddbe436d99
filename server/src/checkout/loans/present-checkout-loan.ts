/** A checkout loan in the words of the API. The plan is shown from the start, projected until the money is out. */
import { ratePercent } from "../../lending/product.ts";
import type { LoanView } from "../../lending/read-loan-account.ts";
import { presentDueDate, presentProjectedSchedule } from "../../lending/schedule-on-wire.ts";
import { nairaNumber } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { hasCardForLoans } from "../customers/customer.ts";
import { findCustomer } from "../customers/customer-store.ts";
import type { CheckoutLoan } from "./checkout-loan.ts";
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
  const linked = account.approvedAt !== null || (await hasCard(tx, loan.customerId));
  return [
    { type: "consent", status: loan.consentStatus === "consented" ? "met" : "pending" },
    { type: "card_link", status: linked ? "met" : "pending" },
  ];
}

async function hasCard(tx: Tx, customerId: string): Promise<boolean> {
  const customer = await findCustomer(tx, customerId, { lock: false });
  return customer !== undefined && hasCardForLoans(customer);
}
