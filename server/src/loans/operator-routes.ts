/** What an operator decides about loans, with a reason that the audit trail keeps. */
import { Type } from "typebox";
import { operatorReversalRoute } from "../lending/operator-reversal.ts";
import { writeOffLoanAccount } from "../lending/write-off-loan-account.ts";
import { type Tx, visitEnvironment } from "../platform/database/database.ts";
import { operatorRoute, type Route } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import { originOf, recordAudit } from "../platform/records/audit.ts";
import { findOnlyPlace } from "../platform/records/only-place.ts";
import { announceLoan } from "./announce-loan.ts";
import { approveLoan, rejectLoan } from "./decide-loan.ts";
import { type DisbursingDependencies, disburseLoan } from "./disburse-loan.ts";
import { loanProblem } from "./errors.ts";
import { maskLoan } from "./mask-loan.ts";
import { readLoanRecord, requireLoan } from "./read-loan.ts";
import { loanRecord, type PresentedLoan } from "./schemas.ts";

const reasonBody = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 2_000,
      pattern: "\\S",
      description: "Why; kept in the audit trail.",
    }),
  },
  { examples: [{ reason: "Income and history checked, ticket 4711" }] },
);

interface Way {
  readonly operationId: string;
  readonly action: string;
  readonly summary: string;
  readonly description: string;
  readonly message: string;
  readonly problems: readonly string[];
  run(tx: Tx, deps: DisbursingDependencies, id: string): Promise<unknown>;
}

const ways: Readonly<Record<string, Way>> = {
  approve: {
    operationId: "approveLoan",
    action: "loan.approve",
    summary: "Approve a loan",
    description: "Grants a pending loan and has it paid out. Sends `loan.approved` to the merchant.",
    message: "Loan approved.",
    problems: [],
    run: (tx, { sealer }, id) => approveLoan(tx, sealer, id),
  },
  reject: {
    operationId: "rejectLoan",
    action: "loan.reject",
    summary: "Reject a loan",
    description: "Refuses a pending loan. Sends `loan.rejected` to the merchant.",
    message: "Loan rejected.",
    problems: [],
    run: (tx, { sealer }, id) => rejectLoan(tx, sealer, id),
  },
  disburse: {
    operationId: "disburseLoan",
    action: "loan.disburse",
    summary: "Disburse a loan again",
    description: "Starts to pay out an approved loan again after its earlier payments have failed.",
    message: "Disbursement started.",
    problems: ["loan_being_disbursed", "insufficient_funds", "rail_not_configured"],
    run: disburseLoan,
  },
  "write-off": {
    operationId: "writeOffLoan",
    action: "loan.write_off",
    summary: "Write a loan off",
    description: "Writes off what is owed on an overdue loan: the lender takes the loss.",
    message: "Loan written off.",
    problems: [],
    run: writeOff,
  },
};

async function writeOff(tx: Tx, { sealer }: DisbursingDependencies, id: string): Promise<void> {
  const { accountId } = await requireLoan(tx, sealer, id);
  await writeOffLoanAccount(tx, { accountId, announce: announceLoan(sealer) });
}

export function loanOperatorRoutes(deps: DisbursingDependencies): Route[] {
  return [...Object.entries(ways).map(([word, way]) => decisionRoute(deps, word, way)), reversalRoute(deps)];
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

function decisionRoute(deps: DisbursingDependencies, word: string, way: Way): Route {
  return operatorRoute({
    method: "POST",
    path: `/operator/loans/{id}/${word}`,
    operationId: way.operationId,
    tag: "Operator",
    summary: way.summary,
    description: way.description,
    params: IdParams,
    body: reasonBody,
    reply: { status: 200, message: way.message, data: loanRecord },
    problems: ["loan_not_found", "invalid_state", ...way.problems],
    handle: (request) =>
      request.write(async (tx) => {
        const { id } = request.params;
        const environmentId = await findLoanEnvironment(tx, id);
        const decide = (inside: Tx) => decideAndRead(inside, deps, id, way);
        const data = await visitEnvironment(tx, environmentId, decide, "in order");
        await recordAudit(tx, originOf(request), {
          action: way.action,
          subjectType: "loan",
          subjectId: id,
          environmentId,
          detail: { reason: request.body.reason, reference: data.loan_request.reference },
        });
        return { data };
      }),
  });
}

/** An operator decides without seeing BVN and NIN in full. */
async function decideAndRead(tx: Tx, deps: DisbursingDependencies, id: string, way: Way): Promise<PresentedLoan> {
  await way.run(tx, deps, id);
  return maskLoan(await readLoanRecord(tx, deps.sealer, id));
}

async function findLoanEnvironment(tx: Tx, id: string): Promise<string> {
  const place = await findOnlyPlace(tx, "find_loan_environment", id);
  if (place === undefined) throw loanProblem("loan_not_found");
  return place;
}
