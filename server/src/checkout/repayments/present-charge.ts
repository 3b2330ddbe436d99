import { nairaNumber } from "../../money/kobo.ts";
import type { Charge } from "../cards/charge.ts";
import type { PresentedCheckoutRepayment } from "./schemas.ts";

/** A charge that the card network owes an answer about, as the repayment that may come of it. */
export function presentCharge(charge: Charge): PresentedCheckoutRepayment {
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
