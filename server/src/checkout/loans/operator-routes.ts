/** What an operator decides about checkout loans, with a reason that the audit trail keeps. */

import { writeOffLoanAccount } from "../../lending/account/move-loan-account.ts";
import { type DecidedLoans, type Decision, operatorDecisionRoute } from "../../lending/account/operator-decision.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Route } from "../../platform/http/route.ts";
import type { BankRails } from "../../rails/desk.ts";
import { announceCheckoutLoan } from "./announce-checkout-loan.ts";
import { disburseCheckoutLoan } from "./disburse-checkout-loan.ts";
import { rejectCheckoutLoan } from "./end-checkout-loan.ts";
import type { LoanFollowing } from "./loan-moved.ts";
import { presentCheckoutLoan } from "./present-checkout-loan.ts";
import { findLoanEnvironment, requireCheckoutLoan } from "./read-checkout-loan.ts";
import { checkoutLoanData } from "./schemas.ts";

export interface CheckoutOperatorDependencies extends LoanFollowing {
  readonly rails: BankRails;
}

const decidedLoans: DecidedLoans<typeof checkoutLoanData> = {
  collection: "/operator/checkout-loans",
  subjectType: "checkout_loan",
  notFound: "checkout_loan_not_found",
  exampleReason: "Agreed with the merchant, ticket 4711",
  data: checkoutLoanData,
  findEnvironment: findLoanEnvironment,
  read: async (tx, id) => presentCheckoutLoan(tx, await requireCheckoutLoan(tx, id)),
  referenceOf: (shown) => shown.reference,
};

function decisions(deps: CheckoutOperatorDependencies): Decision[] {
  return [
    {
      word: "reject",
      operationId: "rejectCheckoutLoan",
      action: "reject",
      summary: "Reject a checkout loan",
      description: "Refuses a loan that waits for consent or a card. Sends `bnpl.loan.rejected` to the merchant.",
      message: "Loan rejected.",
      problems: [],
      run: (tx, id) => rejectCheckoutLoan(tx, deps, id),
    },
    {
      word: "disburse",
      operationId: "disburseCheckoutLoan",
      action: "disburse",
      summary: "Disburse a checkout loan again",
      description: "Starts to pay out an approved loan again after its earlier payments have failed.",
      message: "Disbursement started.",
      problems: ["checkout_loan_being_disbursed", "insufficient_funds", "rail_not_configured"],
      run: (tx, id) => disburseCheckoutLoan(tx, deps, id),
    },
    {
      word: "write-off",
      operationId: "writeOffCheckoutLoan",
      action: "write_off",
      summary: "Write a checkout loan off",
      description: "Writes off what is owed on an overdue loan: the lender takes the loss.",
      message: "Loan written off.",
      problems: [],
      run: (tx, id) => writeOff(tx, deps, id),
    },
  ];
}

async function writeOff(tx: Tx, deps: CheckoutOperatorDependencies, id: string): Promise<void> {
  const { accountId } = await requireCheckoutLoan(tx, id);
  await writeOffLoanAccount(tx, { accountId, announce: announceCheckoutLoan(deps) });
}

export function checkoutLoanOperatorRoutes(deps: CheckoutOperatorDependencies): Route[] {
  return decisions(deps).map((decision) => operatorDecisionRoute(decidedLoans, decision));
}
