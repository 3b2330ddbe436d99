/** Paying a checkout loan out to the merchant's account, and what comes of it. */

import { lenderFundingId } from "../../lending/account/loan-account.ts";
import { disburseLoanAccount, returnDisbursement } from "../../lending/account/move-loan-account.ts";
import type { Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import type { BankRails } from "../../rails/desk.ts";
import { beginDisbursement, type DisbursementOwner, disbursementFailed } from "../../transfers/payouts/disbursement.ts";
import type { DisbursementTaken } from "../../transfers/sending/settle-transfer.ts";
import { announceCheckoutLoan } from "./announce-checkout-loan.ts";
import type { CheckoutLoan } from "./checkout-loan.ts";
import { countDisbursement, findByDisbursement, setDisbursement } from "./checkout-loan-store.ts";
import { checkoutLoanProblem } from "./errors.ts";
import type { LoanFollowing } from "./loan-moved.ts";
import { requireCheckoutLoan } from "./read-checkout-loan.ts";
import { disburseTask } from "./tasks.ts";

export const checkoutDisbursements: DisbursementOwner = {
  task: disburseTask,
  begin: countDisbursement,
  setTransfer: setDisbursement,
};

/** Throws invalid_state, checkout_loan_being_disbursed, insufficient_funds or rail_not_configured. */
export async function disburseCheckoutLoan(tx: Tx, { rails }: { rails: BankRails }, id: string): Promise<void> {
  const loan = await requireCheckoutLoan(tx, id);
  const { kind } = tx.environment;
  const { accountId, bankAccountNo: accountNumber, bankCode, amount } = loan;
  const sourceAccountId = lenderFundingId(tx.environment.id);
  const disbursement = { id, accountId, sourceAccountId, accountNumber, bankCode, amount };
  if (!(await beginDisbursement(tx, checkoutDisbursements, { rails, kind }, disbursement))) throw cannotDisburse(loan);
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
    const change = { accountId: loan.accountId, announce };
    if (transfer.status === "completed") {
      await disburseLoanAccount(tx, change);
      return true;
    }
    if (transfer.status === "reversed") await returnDisbursement(tx, change);
    await disbursementFailed(tx, checkoutDisbursements, { id: loan.id, attempts: loan.disbursements });
    return true;
  };
}
