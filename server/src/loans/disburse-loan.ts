/**
 * Paying a loan out: a transfer from the lender's funding account, whose outcome comes back in the transaction that
 * settles it. Paid, the loan is disbursed; refused, the loan is approved as before and tried again after a while.
 */

import { lenderFundingId } from "../lending/account/loan-account.ts";
import { disburseLoanAccount, returnDisbursement } from "../lending/account/move-loan-account.ts";
import type { Tx } from "../platform/database/database.ts";
import { commonProblem } from "../platform/problem.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { bankName } from "../rails/bank-directory.ts";
import type { BankRails } from "../rails/desk.ts";
import { beginDisbursement, type DisbursementOwner, disbursementFailed } from "../transfers/payouts/disbursement.ts";
import type { DisbursementTaken } from "../transfers/sending/settle-transfer.ts";
import { announceLoan } from "./announce-loan.ts";
import { loanProblem } from "./errors.ts";
import type { LoanRequest } from "./loan-request.ts";
import { countDisbursement, findLoanByDisbursement, nameAccount, setDisbursement } from "./loan-store.ts";
import { findHome, requireLoan } from "./read-loan.ts";
import { disburseTask } from "./tasks.ts";

export const loanDisbursements: DisbursementOwner = {
  task: disburseTask,
  begin: countDisbursement,
  setTransfer: setDisbursement,
};

export interface DisbursingDependencies {
  readonly sealer: Sealer;
  readonly rails: BankRails;
}

/** Throws invalid_state, loan_being_disbursed, insufficient_funds or rail_not_configured. */
export async function disburseLoan(tx: Tx, { sealer, rails }: DisbursingDependencies, id: string): Promise<void> {
  const loan = await requireLoan(tx, sealer, id);
  const { kind } = await findHome(tx);
  const { accountId, accountNumber, bankCode, amount } = loan;
  const sourceAccountId = lenderFundingId(tx.environment.id);
  const disbursement = { id, accountId, sourceAccountId, accountNumber, bankCode, amount };
  if (!(await beginDisbursement(tx, loanDisbursements, { rails, kind }, disbursement))) throw cannotDisburse(loan);
}

function cannotDisburse({ status, disbursementId }: LoanRequest) {
  if (status === "approved" && disbursementId !== null) return loanProblem("loan_being_disbursed");
  return commonProblem("invalid_state", {
    message: `The loan is ${status}; only an approved loan can be paid out.`,
    data: { status },
  });
}

/** Takes the outcome of a disbursement, in its transaction. */
export function takeLoanDisbursement(sealer: Sealer): DisbursementTaken {
  const announce = announceLoan(sealer);
  return async (tx, transfer) => {
    const loan = await findLoanByDisbursement(tx, sealer, transfer.id);
    if (loan === undefined) return false;
    const change = { accountId: loan.accountId, announce };
    if (transfer.status === "completed") {
      await nameAccount(tx, loan.id, { bankName: bankName(transfer.bankCode), accountName: transfer.accountName });
      await disburseLoanAccount(tx, change);
      return true;
    }
    if (transfer.status === "reversed") await returnDisbursement(tx, change);
    await disbursementFailed(tx, loanDisbursements, { id: loan.id, attempts: loan.disbursements });
    return true;
  };
}
