/** What a customer has paid too much goes back. */
import { refundCredit } from "../../lending/collect/refund-credit.ts";
import { nairaNumber } from "../../money/kobo.ts";
import { describeRoute, type Reply, type Route, repeated } from "../../platform/http/route.ts";
import { readNaira } from "../../platform/http/wire.ts";
import type { CardRefund } from "../cards/card-refund.ts";
import type { ChargeCommand } from "../cards/charge-card.ts";
import { promisedToCards, refundDeclinedProblem, refundToCard } from "../cards/refund-to-card.ts";
import { presentCreditRefund } from "../loans/present-reduction.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { creditRefundData, LoanParams, type PresentedCreditRefund } from "../loans/schemas.ts";
import type { CheckoutRepaymentDependencies } from "./repayment-routes.ts";
import { creditRefundBody } from "./schemas.ts";

export function checkoutCreditRoutes(deps: CheckoutRepaymentDependencies): Route[] {
  return [refundRoute(deps)];
}

function refundRoute(deps: CheckoutRepaymentDependencies): Route {
  return describeRoute("key", {
    tag: "Checkout",
    params: LoanParams,
    method: "POST",
    scope: "checkout:write",
    path: "/loans/bnpl/loans/{loanId}/credit/refund",
    operationId: "refundCheckoutLoanCredit",
    summary: "Refund an overpayment",
    description:
      "Gives the loan's credit back the way the customer paid. With the channel card the newest charge that covers the amount is refunded: 201 when it is done, 202 with status processing while the card network has not answered yet, 422 card_refund_declined when it refused and the credit stays. What is on its way cannot be refunded a second time. The same reference and content again return 200 with the first refund. Sends `bnpl.loan.credit.refunded`.",
    body: creditRefundBody,
    reply: {
      status: 201,
      title: "Refund",
      message: "Credit refunded",
      data: creditRefundData,
      also: { 200: "Credit was refunded before", 202: "The card network has not answered yet" },
    },
    problems: [
      "checkout_loan_not_found",
      "reference_conflict",
      "credit_too_small",
      "refund_channel_mismatch",
      "card_refund_too_large",
      "card_refund_declined",
      "rail_not_configured",
      "wallet_not_found",
    ],
    handle: async (request) => {
      const { caller, params, body } = request;
      const { loanId } = params;
      const { reference, channel } = body;
      const amount = readNaira(body.amount);
      if (channel === "card") {
        const kept = await request.kept<PresentedCreditRefund>();
        if (kept !== undefined) return kept;
        const reply = await toCard(deps, { environmentId: caller.environmentId, loanId, amount, reference });
        return request.write(async () => reply);
      }
      return request.write(async (tx) => {
        const loan = await requireCheckoutLoan(tx, loanId);
        const promised = () => promisedToCards(tx, loan.id);
        const money = { amount, reference, channel, walletId: body.wallet_id };
        const command = { accountId: loan.accountId, ...money, promised, announce: deps.announce };
        const { refund, replayed } = await refundCredit(tx, command);
        const data = presentCreditRefund(loan.id, refund);
        return replayed ? { data, ...repeated } : { data };
      });
    },
  });
}

async function toCard(
  deps: CheckoutRepaymentDependencies,
  command: ChargeCommand,
): Promise<Reply<PresentedCreditRefund>> {
  const { refund, replayed } = await refundToCard(deps, command);
  if (refund.failure !== null) throw refundDeclinedProblem(refund.failure);
  const data = presentCardRefund(refund);
  if (refund.status === "processing") return { data, status: 202 };
  return replayed ? { data, ...repeated } : { data };
}

/** Under the same id, and once it is done with the same time, as the refund that is booked. */
function presentCardRefund(refund: CardRefund): PresentedCreditRefund {
  return {
    id: refund.id,
    loan_id: refund.loanId,
    reference: refund.reference,
    channel: "card",
    amount: nairaNumber(refund.amount),
    status: refund.status === "successful" ? "successful" : "processing",
    created_at: (refund.completedAt ?? refund.createdAt).toISOString(),
  };
}
