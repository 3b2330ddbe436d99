/** Money that comes back: repayments by the customer, refunds by the merchant. */
import { Type } from "typebox";
import type { Announce } from "../../lending/account/loan-account.ts";
import { readRepayment, readRepayments } from "../../lending/account/read-loan-account.ts";
import { operatorReversalRoute } from "../../lending/collect/operator-reversal.ts";
import { recordRepayment } from "../../lending/collect/record-repayment.ts";
import { reduceLoanAccount } from "../../lending/collect/reduce-loan-account.ts";
import { presentRepayment, type RepaymentBody, repaymentBody } from "../../lending/collect/repayment-on-wire.ts";
import { reductionReferences, repaymentReferences } from "../../lending/position/repayment.ts";
import { nairaNumber } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { describeRoute, type Reply, type Route, repeated } from "../../platform/http/route.ts";
import { readNaira } from "../../platform/http/wire.ts";
import { pageMetaOf, pageOf, pageQuery } from "../../platform/records/pagination.ts";
import { type LimitPeople, payWithinLimit } from "../../wallets/limit-people.ts";
import type { Charge } from "../cards/charge.ts";
import { type ChargeCommand, chargeCard, declinedProblem, refuseReferenceOfCharge } from "../cards/charge-card.ts";
import type { ChargeDependencies } from "../cards/charge-order.ts";
import { promisedToCards } from "../cards/refund-to-card.ts";
import { presentReduction } from "../loans/present-reduction.ts";
import { findLoanEnvironment, requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { LoanParams, reductionData } from "../loans/schemas.ts";
import { checkoutRepaymentData, type PresentedCheckoutRepayment, reductionBody } from "./schemas.ts";

export interface CheckoutRepaymentDependencies extends ChargeDependencies {
  /** Tells the merchant of what happens to its loans. */
  readonly announce: Announce;
  readonly limitPeople: LimitPeople;
}

const common = { tag: "Checkout", params: LoanParams } as const;

export function checkoutRepaymentRoutes(deps: CheckoutRepaymentDependencies): Route[] {
  return [recordRoute(deps), listRoute(), reduceRoute(deps)];
}

function recordRoute(deps: CheckoutRepaymentDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: "/loans/bnpl/loans/{loanId}/repayments",
    operationId: "repayCheckoutLoan",
    scope: "checkout:write",
    summary: "Record a repayment of a checkout loan",
    description:
      "Pays fees, then interest, then principal of the earliest open instalment, and so on. With the channel card the customer's default card is charged: 201 when it paid, 202 with status processing while the card network has not answered yet, 422 card_declined when it refused. The same reference and content again return 200 with the first repayment. Sends `bnpl.loan.repayment.successful` or `bnpl.loan.repayment.failed`.",
    body: repaymentBody,
    reply: {
      status: 201,
      title: "Repayment",
      message: "Repayment recorded",
      data: checkoutRepaymentData,
      also: { 200: "Repayment was recorded before", 202: "The card network has not answered yet" },
    },
    problems: [
      "checkout_loan_not_found",
      "invalid_state",
      "reference_conflict",
      "insufficient_funds",
      "card_not_linked",
      "card_declined",
      "charge_in_progress",
      "amount_out_of_band",
      "rail_not_configured",
      "wallet_not_found",
      "card_charge_too_soon",
    ],
    handle: async (request) => {
      const { caller, params, body } = request;
      if (body.channel !== "card") {
        const pay = () => request.write((tx) => record(tx, deps, params.loanId, { ...body, channel: body.channel }));
        return payWithinLimit(deps, caller, { list: repaymentReferences, ...spendingOf(body), pay });
      }
      const kept = await request.kept<PresentedCheckoutRepayment>();
      if (kept !== undefined) return kept;
      const { environmentId } = caller;
      const { loanId } = params;
      const { reference } = body;
      const made = await charge(deps, { environmentId, loanId, amount: readNaira(body.amount), reference });
      const reply = await request.read((tx) => replyOf(tx, made));
      return request.write(async () => reply);
    },
  });
}

/** What leaves a wallet, and under which reference. */
function spendingOf({ reference, amount }: { readonly reference: string; readonly amount: number }) {
  return { reference, amount: readNaira(amount) };
}

type Recorded = Reply<PresentedCheckoutRepayment>;
type MadeCharge = Awaited<ReturnType<typeof chargeCard>>;

async function record(
  tx: Tx,
  { announce }: CheckoutRepaymentDependencies,
  loanId: string,
  { amount, reference, channel, wallet_id: walletId }: RepaymentBody,
): Promise<Recorded> {
  const loan = await requireCheckoutLoan(tx, loanId);
  await refuseReferenceOfCharge(tx, reference);
  const money = { amount: readNaira(amount), reference, channel, walletId };
  const command = { accountId: loan.accountId, ...money, announce };
  const { repayment, replayed } = await recordRepayment(tx, command);
  const data = await readPresented(tx, loan, repayment.id);
  return replayed ? { data, ...repeated } : { data };
}

async function readPresented(tx: Tx, loan: { readonly id: string; readonly accountId: string }, id: string) {
  const found = await readRepayment(tx, loan.accountId, id);
  if (found === undefined) throw new Error(`repayment ${id} vanished`);
  return presentRepayment(loan.id, found);
}

async function charge(deps: CheckoutRepaymentDependencies, command: ChargeCommand): Promise<MadeCharge> {
  const made = await chargeCard(deps, command);
  if (made.charge.status === "failed") throw declinedProblem(made.charge);
  return made;
}

async function replyOf(tx: Tx, { charge: made, replayed }: MadeCharge): Promise<Recorded> {
  const data = await presentMade(tx, made);
  if (made.status === "processing") return { data, status: 202 };
  return replayed ? { data, ...repeated, message: "The card was charged before" } : { data };
}

async function presentMade(tx: Tx, made: Charge): Promise<PresentedCheckoutRepayment> {
  if (made.repaymentId === null) return presentCharge(made);
  return readPresented(tx, await requireCheckoutLoan(tx, made.loanId), made.repaymentId);
}

function listRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/loans/bnpl/loans/{loanId}/repayments",
    operationId: "listCheckoutLoanRepayments",
    scope: "checkout:read",
    summary: "List a checkout loan's repayments",
    description: "Newest first, each with what it paid; those that were collected from the card included.",
    query: pageQuery,
    reply: {
      status: 200,
      title: "Repayments",
      message: "Repayments retrieved",
      paged: true,
      data: Type.Array(checkoutRepaymentData),
    },
    problems: ["checkout_loan_not_found"],
    handle: ({ params, query, read }) =>
      read(async (tx) => {
        const loan = await requireCheckoutLoan(tx, params.loanId);
        const page = pageOf(query);
        const { repayments, total } = await readRepayments(tx, loan.accountId, page);
        const data = repayments.map((repayment) => presentRepayment(loan.id, repayment));
        return { data, meta: pageMetaOf(total, page.page, page.limit) };
      }),
  });
}

function reduceRoute(deps: CheckoutRepaymentDependencies): Route {
  const { announce } = deps;
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: "/loans/bnpl/loans/{loanId}/refund",
    operationId: "refundCheckoutLoan",
    scope: "checkout:write",
    summary: "Refund an order",
    description:
      "For returned goods: money from your main wallet reduces the customer's plan. Instalments that are not due yet become smaller, with their interest; anything beyond what is owed becomes the customer's credit. The same reference and content again return 200 with the first refund. Sends `bnpl.loan.refunded`.",
    body: reductionBody,
    reply: {
      status: 201,
      title: "Refund",
      message: "Order refunded",
      data: reductionData,
      also: { 200: "Order was refunded before" },
    },
    problems: [
      "checkout_loan_not_found",
      "invalid_state",
      "reference_conflict",
      "insufficient_funds",
      "refund_exceeds_loan",
    ],
    handle: ({ caller, params, body, write }) => {
      const spending = spendingOf(body);
      const pay = () =>
        write(async (tx) => {
          const { accountId } = await requireCheckoutLoan(tx, params.loanId);
          const command = { accountId, ...spending, reason: body.reason, announce };
          const { reduction, replayed } = await reduceLoanAccount(tx, command);
          const data = await presentReduction(tx, await requireCheckoutLoan(tx, params.loanId), reduction);
          return replayed ? { data, ...repeated } : { data };
        });
      return payWithinLimit(deps, caller, { list: reductionReferences, ...spending, pay });
    },
  });
}

/** A charge that the card network owes an answer about, as the repayment that may come of it. */
function presentCharge(charge: Charge): PresentedCheckoutRepayment {
  return {
    id: charge.id,
    loan_id: charge.loanId,
    reference: charge.reference ?? charge.id,
    channel: "card",
    amount: nairaNumber(charge.amount),
    allocation: { fees: 0, interest: 0, principal: 0, credit: 0, suspense: 0 },
    refunded: 0,
    status: "processing",
    created_at: charge.createdAt.toISOString(),
    reversed_at: null,
    reversal_reason: null,
  };
}

/** An operator takes a repayment of a checkout loan back. */
export function checkoutReversalRoutes({ announce }: Pick<CheckoutRepaymentDependencies, "announce">): Route[] {
  return [
    operatorReversalRoute({
      collection: "/operator/checkout-loans",
      operationId: "reverseCheckoutLoanRepayment",
      summary: "Reverse a repayment of a checkout loan",
      event: "bnpl.loan.repayment.failed",
      subjectType: "checkout_loan",
      notFound: "checkout_loan_not_found",
      findEnvironment: findLoanEnvironment,
      open: async (tx, id) => {
        const { accountId } = await requireCheckoutLoan(tx, id);
        return { accountId, announce, promised: () => promisedToCards(tx, id) };
      },
    }),
  ];
}
