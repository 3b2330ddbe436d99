import type { CreditRefund } from "../lending/loan-account.ts";
import { nairaNumber } from "../money/kobo.ts";
import type { PresentedRefund } from "./schedule-schemas.ts";

export function presentRefund(loanId: string, refund: CreditRefund): PresentedRefund {
  return {
    id: refund.id,
    loan_id: loanId,
    reference: refund.reference,
    channel: refund.channel,
    amount: nairaNumber(refund.amount),
    created_at: refund.refundedAt.toISOString(),
  };
}
