/** An operator takes a repayment of a checkout loan back. */
import { operatorReversalRoute } from "../../lending/collect/operator-reversal.ts";
import type { Route } from "../../platform/http/route.ts";
import { promisedToCards } from "../cards/refund-to-card.ts";
import { findLoanEnvironment, requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import type { CheckoutRepaymentDependencies } from "./repayment-routes.ts";

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
