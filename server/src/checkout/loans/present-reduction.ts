import type { CreditRefund, Reduction } from "../../lending/position/repayment.ts";
import { nairaNumber } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { CheckoutLoan } from "./checkout-loan.ts";
import { presentCheckoutLoan } from "./present-checkout-loan.ts";
import type { PresentedCreditRefund, PresentedReduction } from "./schemas.ts";

/** A refund with the loan as it stands since. */
export async function presentReduction(tx: Tx, loan: CheckoutLoan, reduction: Reduction): Promise<PresentedReduction> {
  return {
    id: reduction.id,
    loan_id: loan.id,
    reference: reduction.reference,
    amount: nairaNumber(reduction.amount),
    reason: reduction.reason,
    created_at: reduction.recordedAt.toISOString(),
    loan: await presentCheckoutLoan(tx, loan),
  };
}

export function presentCreditRefund(loanId: string, refund: CreditRefund): PresentedCreditRefund {
  return {
    id: refund.id,
    loan_id: loanId,
    reference: refund.reference,
    channel: refund.channel,
    amount: nairaNumber(refund.amount),
    status: "successful",
    created_at: refund.refundedAt.toISOString(),
  };
}
