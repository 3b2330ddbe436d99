import { Type } from "typebox";
import { readRepayment, readRepayments } from "../lending/account/read-loan-account.ts";
import { lendingProblem } from "../lending/collect/errors.ts";
import { recordRepayment } from "../lending/collect/record-repayment.ts";
import { refundCredit } from "../lending/collect/refund-credit.ts";
import {
  type PresentedRepayment,
  presentRepayment,
  type RepaymentBody,
  repaymentBody,
  repaymentData,
  reversalBody,
} from "../lending/collect/repayment-on-wire.ts";
import { reverseRepayment } from "../lending/collect/reverse-repayment.ts";
import { type CreditRefund, repaymentReferences } from "../lending/position/repayment.ts";
import { nairaNumber } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { describeRoute, type Route, repeated } from "../platform/http/route.ts";
import { IdParams, PathId, readNaira } from "../platform/http/wire.ts";
import { pageMetaOf, pageOf, pageQuery } from "../platform/records/pagination.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { type LimitDependencies, payWithinLimit } from "../wallets/limit-people.ts";
import { announceLoan } from "./announce-loan.ts";
import { requireLoan } from "./read-loan.ts";
import { type PresentedCreditRefund, refundData } from "./schedule-schemas.ts";

export interface RepaymentRouteDependencies extends LimitDependencies {
  readonly sealer: Sealer;
}

const common = { tag: "Loans" } as const;
const noCard = "A loan made with POST /loans/create has no card. Use the channel wallet, cash or bank_transfer.";

export function repaymentRoutes(deps: RepaymentRouteDependencies): Route[] {
  return [recordRoute(deps), listRoute(deps), reverseRoute(deps), refundRoute(deps)];
}

function recordRoute(deps: RepaymentRouteDependencies): Route {
  const { sealer } = deps;
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: "/loans/{id}/repayments",
    operationId: "repayLoan",
    scope: "loans:write",
    summary: "Record a repayment",
    description:
      "Pays fees, then interest, then principal of the earliest open instalment, and so on; what is beyond the whole loan becomes credit. The same reference and content again return 200 with the first repayment. Sends `loan.repayment.successful`, and `loan.completed` when everything is paid.",
    params: IdParams,
    body: repaymentBody,
    reply: {
      status: 201,
      title: "Repayment",
      message: "Repayment recorded",
      data: repaymentData,
      also: { 200: "Repayment was recorded before" },
    },
    problems: [
      "loan_not_found",
      "invalid_state",
      "reference_conflict",
      "insufficient_funds",
      "card_not_linked",
      "wallet_not_found",
    ],
    handle: ({ caller, params, body, write }) => {
      const record = () =>
        write(async (tx) => {
          const loan = await requireLoan(tx, sealer, params.id);
          const command = { ...moneyOf(loan.accountId, body), announce: announceLoan(sealer) };
          const { repayment, replayed } = await recordRepayment(tx, command);
          const data = await readPresented(tx, loan, repayment.id);
          return replayed ? { data, ...repeated } : { data };
        });
      const spent = { list: repaymentReferences, reference: body.reference, amount: readNaira(body.amount) };
      return payWithinLimit(deps, caller, { ...spent, pay: record });
    },
  });
}

/** Cards are linked at checkout; a loan that was asked for here can have none. */
function moneyOf(accountId: string, { amount, reference, channel, wallet_id: walletId }: RepaymentBody) {
  if (channel === "card") throw lendingProblem("card_not_linked", { message: noCard });
  return { accountId, amount: readNaira(amount), reference, channel, walletId };
}

async function readPresented(
  tx: Tx,
  loan: { readonly id: string; readonly accountId: string },
  repaymentId: string,
): Promise<PresentedRepayment> {
  const found = await readRepayment(tx, loan.accountId, repaymentId);
  if (found === undefined) throw new Error(`repayment ${repaymentId} vanished`);
  return presentRepayment(loan.id, found);
}

function listRoute({ sealer }: RepaymentRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/loans/{id}/repayments",
    operationId: "listLoanRepayments",
    scope: "loans:read",
    summary: "List a loan's repayments",
    description: "Newest first, each with what it paid.",
    params: IdParams,
    query: pageQuery,
    reply: {
      status: 200,
      title: "Repayments",
      message: "Repayments retrieved",
      data: Type.Array(repaymentData),
      paged: true,
    },
    problems: ["loan_not_found"],
    handle: ({ params, query, read }) =>
      read(async (tx) => {
        const loan = await requireLoan(tx, sealer, params.id);
        const page = pageOf(query);
        const { repayments, total } = await readRepayments(tx, loan.accountId, page);
        const data = repayments.map((repayment) => presentRepayment(loan.id, repayment));
        return { data, meta: pageMetaOf(total, page.page, page.limit) };
      }),
  });
}

function reverseRoute({ sealer }: RepaymentRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: "/loans/{id}/repayments/{repaymentId}/reverse",
    operationId: "reverseLoanRepayment",
    scope: "loans:write",
    summary: "Reverse a repayment",
    description:
      "For a repayment that was not made: a bounced transfer, a wrong entry. The loan then stands as if it had never been recorded; a wallet gets its money back. Reversing again changes nothing. Sends `loan.repayment.failed`.",
    params: Type.Object({ id: PathId, repaymentId: PathId }),
    body: reversalBody,
    reply: { status: 200, title: "Repayment", message: "Repayment reversed", data: repaymentData },
    problems: ["loan_not_found", "repayment_not_found", "repayment_refunded", "lender_funds_short"],
    handle: ({ params, body, write }) =>
      write(async (tx) => {
        const loan = await requireLoan(tx, sealer, params.id);
        const { repaymentId } = params;
        const announce = announceLoan(sealer);
        await reverseRepayment(tx, { accountId: loan.accountId, repaymentId, reason: body.reason, announce });
        return { data: await readPresented(tx, loan, repaymentId) };
      }),
  });
}

function refundRoute({ sealer }: RepaymentRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: "/loans/{id}/credit/refund",
    operationId: "refundLoanCredit",
    scope: "loans:write",
    summary: "Refund an overpayment",
    description:
      "Gives back what the borrower paid beyond the loan, to the wallet that was debited, and never more than came that way. Cash and bank transfers you pay back to the borrower yourself. The same reference and content again return 200 with the first refund.",
    params: IdParams,
    body: repaymentBody,
    reply: {
      status: 201,
      title: "Refund",
      message: "Credit refunded",
      data: refundData,
      also: { 200: "Credit was refunded before" },
    },
    problems: [
      "loan_not_found",
      "reference_conflict",
      "credit_too_small",
      "refund_channel_mismatch",
      "card_not_linked",
      "wallet_not_found",
    ],
    handle: ({ params, body, write }) =>
      write(async (tx) => {
        const loan = await requireLoan(tx, sealer, params.id);
        const command = { ...moneyOf(loan.accountId, body), announce: announceLoan(sealer) };
        const { refund, replayed } = await refundCredit(tx, command);
        const data = presentCreditRefund(loan.id, refund);
        return replayed ? { data, ...repeated } : { data };
      }),
  });
}

function presentCreditRefund(loanId: string, refund: CreditRefund): PresentedCreditRefund {
  return {
    id: refund.id,
    loan_id: loanId,
    reference: refund.reference,
    channel: refund.channel,
    amount: nairaNumber(refund.amount),
    created_at: refund.refundedAt.toISOString(),
  };
}
