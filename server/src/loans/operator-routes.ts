/** What an operator decides about loans, with a reason that the audit trail keeps. */

import { writeOffLoanAccount } from "../lending/account/move-loan-account.ts";
import { type DecidedLoans, type Decision, operatorDecisionRoute } from "../lending/account/operator-decision.ts";
import { operatorReversalRoute } from "../lending/collect/operator-reversal.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Route } from "../platform/http/route.ts";
import { findOnlyPlace } from "../platform/records/only-place.ts";
import { announceLoan } from "./announce-loan.ts";
import { approveLoan, rejectLoan } from "./decide-loan.ts";
import { type DisbursingDependencies, disburseLoan } from "./disburse-loan.ts";
import { loanProblem } from "./errors.ts";
import { maskLoan } from "./mask-loan.ts";
import { readLoanRecord, requireLoan } from "./read-loan.ts";
import { loanRecord } from "./schemas.ts";

/** An operator decides without seeing BVN and NIN in full. */
function decidedLoans({ sealer }: DisbursingDependencies): DecidedLoans<typeof loanRecord> {
  return {
    collection: "/operator/loans",
    subjectType: "loan",
    notFound: "loan_not_found",
    exampleReason: "Income and history checked, ticket 4711",
    data: loanRecord,
    findEnvironment: findLoanEnvironment,
    read: async (tx, id) => maskLoan(await readLoanRecord(tx, sealer, id)),
    referenceOf: (shown) => shown.loan_request.reference,
  };
}

function decisions(deps: DisbursingDependencies): Decision[] {
  const { sealer } = deps;
  return [
    {
      word: "approve",
      operationId: "approveLoan",
      action: "approve",
      summary: "Approve a loan",
      description: "Grants a pending loan and has it paid out. Sends `loan.approved` to the merchant.",
      message: "Loan approved.",
      problems: [],
      run: (tx, id) => approveLoan(tx, sealer, id),
    },
    {
      word: "reject",
      operationId: "rejectLoan",
      action: "reject",
      summary: "Reject a loan",
      description: "Refuses a pending loan. Sends `loan.rejected` to the merchant.",
      message: "Loan rejected.",
      problems: [],
      run: (tx, id) => rejectLoan(tx, sealer, id),
    },
    {
      word: "disburse",
      operationId: "disburseLoan",
      action: "disburse",
      summary: "Disburse a loan again",
      description: "Starts to pay out an approved loan again after its earlier payments have failed.",
      message: "Disbursement started.",
      problems: ["loan_being_disbursed", "insufficient_funds", "rail_not_configured"],
      run: (tx, id) => disburseLoan(tx, deps, id),
    },
    {
      word: "write-off",
      operationId: "writeOffLoan",
      action: "write_off",
      summary: "Write a loan off",
      description: "Writes off what is owed on an overdue loan: the lender takes the loss.",
      message: "Loan written off.",
      problems: [],
      run: (tx, id) => writeOff(tx, deps, id),
    },
  ];
}

async function writeOff(tx: Tx, { sealer }: DisbursingDependencies, id: string): Promise<void> {
  const { accountId } = await requireLoan(tx, sealer, id);
  await writeOffLoanAccount(tx, { accountId, announce: announceLoan(sealer) });
}

export function loanOperatorRoutes(deps: DisbursingDependencies): Route[] {
  const loans = decidedLoans(deps);
  return [...decisions(deps).map((decision) => operatorDecisionRoute(loans, decision)), reversalRoute(deps)];
}

function reversalRoute({ sealer }: DisbursingDependencies): Route {
  return operatorReversalRoute({
    collection: "/operator/loans",
    operationId: "reverseRepaymentOfLoan",
    summary: "Reverse a repayment of a loan",
    event: "loan.repayment.failed",
    subjectType: "loan",
    notFound: "loan_not_found",
    findEnvironment: findLoanEnvironment,
    open: async (tx, id) => {
      const { accountId } = await requireLoan(tx, sealer, id);
      return { accountId, announce: announceLoan(sealer) };
    },
  });
}

async function findLoanEnvironment(tx: Tx, id: string): Promise<string> {
  const place = await findOnlyPlace(tx, "loan_requests", id);
  // An operator looks among all merchants, by the one id that only this loan has.
  if (place === undefined) throw loanProblem("loan_not_found", { message: "No loan has this id." });
  return place;
}
