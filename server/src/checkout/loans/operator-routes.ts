/** What an operator decides about checkout loans, with a reason that the audit trail keeps. */
import { Type } from "typebox";
import { writeOffLoanAccount } from "../../lending/write-off-loan-account.ts";
import { type Tx, visitEnvironment } from "../../platform/database/database.ts";
import { operatorRoute, type Route } from "../../platform/http/route.ts";
import { IdParams } from "../../platform/http/wire.ts";
import { originOf, recordAudit } from "../../platform/records/audit.ts";
import type { BankRails } from "../../rails/desk.ts";
import { announceCheckoutLoan } from "./announce-checkout-loan.ts";
import { disburseCheckoutLoan } from "./disburse-checkout-loan.ts";
import { rejectCheckoutLoan } from "./end-checkout-loan.ts";
import type { LoanFollowing } from "./loan-moved.ts";
import { presentCheckoutLoan } from "./present-checkout-loan.ts";
import { findLoanEnvironment, requireCheckoutLoan } from "./read-checkout-loan.ts";
import { checkoutLoanData, type PresentedCheckoutLoan } from "./schemas.ts";

export interface CheckoutOperatorDependencies extends LoanFollowing {
  readonly rails: BankRails;
}

const reasonBody = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 2_000,
      pattern: "\\S",
      description: "Why; kept in the audit trail.",
    }),
  },
  { examples: [{ reason: "Agreed with the merchant, ticket 4711" }] },
);

interface Way {
  readonly operationId: string;
  readonly action: string;
  readonly summary: string;
  readonly description: string;
  readonly message: string;
  readonly problems: readonly string[];
  run(tx: Tx, deps: CheckoutOperatorDependencies, id: string): Promise<unknown>;
}

const ways: Readonly<Record<string, Way>> = {
  reject: {
    operationId: "rejectCheckoutLoan",
    action: "checkout_loan.reject",
    summary: "Reject a checkout loan",
    description: "Refuses a loan that waits for consent or a card. Sends `bnpl.loan.rejected` to the merchant.",
    message: "Loan rejected.",
    problems: [],
    run: rejectCheckoutLoan,
  },
  disburse: {
    operationId: "disburseCheckoutLoan",
    action: "checkout_loan.disburse",
    summary: "Disburse a checkout loan again",
    description: "Starts to pay out an approved loan again after its earlier payments have failed.",
    message: "Disbursement started.",
    problems: ["checkout_loan_being_disbursed", "insufficient_funds", "rail_not_configured"],
    run: disburseCheckoutLoan,
  },
  "write-off": {
    operationId: "writeOffCheckoutLoan",
    action: "checkout_loan.write_off",
    summary: "Write a checkout loan off",
    description: "Writes off what is owed on an overdue loan: the lender takes the loss.",
    message: "Loan written off.",
    problems: [],
    run: writeOff,
  },
};

async function writeOff(tx: Tx, deps: CheckoutOperatorDependencies, id: string): Promise<void> {
  const { accountId } = await requireCheckoutLoan(tx, id);
  await writeOffLoanAccount(tx, { accountId, announce: announceCheckoutLoan(deps) });
}

export function checkoutLoanOperatorRoutes(deps: CheckoutOperatorDependencies): Route[] {
  return Object.entries(ways).map(([word, way]) => decisionRoute(deps, word, way));
}

function decisionRoute(deps: CheckoutOperatorDependencies, word: string, way: Way): Route {
  return operatorRoute({
    method: "POST",
    path: `/operator/checkout-loans/{id}/${word}`,
    operationId: way.operationId,
    tag: "Operator",
    summary: way.summary,
    description: way.description,
    params: IdParams,
    body: reasonBody,
    reply: { status: 200, message: way.message, data: checkoutLoanData },
    problems: ["checkout_loan_not_found", "invalid_state", ...way.problems],
    handle: (request) =>
      request.write(async (tx) => {
        const { id } = request.params;
        const environmentId = await findLoanEnvironment(tx, id);
        const decide = (inside: Tx) => decideAndRead(inside, deps, id, way);
        const data = await visitEnvironment(tx, environmentId, decide, "in order");
        await recordAudit(tx, originOf(request), {
          action: way.action,
          subjectType: "checkout_loan",
          subjectId: id,
          environmentId,
          detail: { reason: request.body.reason, reference: data.reference },
        });
        return { data };
      }),
  });
}

async function decideAndRead(
  tx: Tx,
  deps: CheckoutOperatorDependencies,
  id: string,
  way: Way,
): Promise<PresentedCheckoutLoan> {
  await way.run(tx, deps, id);
  return presentCheckoutLoan(tx, await requireCheckoutLoan(tx, id));
}
