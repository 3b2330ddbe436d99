/** Paying a checkout loan out to the merchant's account, and what comes of it. */
import { disburseLoanAccount, returnDisbursement } from "../../lending/disburse-loan-account.ts";
import { lenderFundingId } from "../../lending/loan-account.ts";
import type { Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import type { Rails } from "../../rails/registry.ts";
import { beginPayout, type PayoutOwner, payoutFailed } from "../../transfers/loan-payout.ts";
import type { DisbursementTaken } from "../../transfers/settlement.ts";
import { announceCheckoutLoan } from "./announce-checkout-loan.ts";
import type { CheckoutLoan } from "./checkout-loan.ts";
import { beginDisbursement, findByDisbursement, setDisbursement } from "./checkout-loan-store.ts";
import { checkoutLoanProblem } from "./errors.ts";
import type { LoanFollowing } from "./loan-moved.ts";
import { requireCheckoutLoan } from "./read-checkout-loan.ts";
import { disburseTask } from "./tasks.ts";

export const checkoutPayouts: PayoutOwner = {
  task: disburseTask,
  begin: beginDisbursement,
  setTransfer: setDisbursement,
};

/** Throws invalid_state, checkout_loan_being_disbursed, insufficient_funds or rail_not_configured. */
export async function disburseCheckoutLoan(tx: Tx, { rails }: { rails: Rails }, id: string): Promise<void> {
  const loan = await requireCheckoutLoan(tx, id);
  const { kind } = tx.environment;
  const { reference, bankAccountNo: accountNumber, bankCode, amount } = loan;
  const sourceAccountId = lenderFundingId(tx.environment.id);
  const payout = { id, reference, sourceAccountId, accountNumber, bankCode, amount };
  if (!(await beginPayout(tx, checkoutPayouts, { rails, kind }, payout))) throw cannotDisburse(loan);
}

function cannotDisburse({ status, disbursementId }: CheckoutLoan) {
  if (status === "approved" && disbursementId !== null) return checkoutLoanProblem("checkout_loan_being_disbursed");
  return commonProblem("invalid_state", {
    message: `The loan is ${status}; only an approved loan can be paid out.`,
    data: { status },
  });
}

/** Takes the outcome of a disbursement, in its transaction. */
export function takeCheckoutDisbursement(following: LoanFollowing): DisbursementTaken {
  const announce = announceCheckoutLoan(following);
  return async (tx, transfer) => {
    const loan = await findByDisbursement(tx, transfer.id);
    if (loan === undefined) return false;
    const change = { accountId: loan.reference, announce };
    if (transfer.status === "completed") {
      await disburseLoanAccount(tx, change);
      return true;
    }
    if (transfer.status === "reversed") await returnDisbursement(tx, change);
    await payoutFailed(tx, checkoutPayouts, { id: loan.id, attempts: loan.disbursements });
    return true;
  };
}
