import { nairaNumber } from "../../money/kobo.ts";
import type { CardRefund } from "../cards/card-refund.ts";
import type { PresentedCreditRefund } from "../loans/schemas.ts";

/** Under the same id, and once it is done with the same time, as the refund that is booked. */
export function presentCardRefund(refund: CardRefund): PresentedCreditRefund {
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
