import type { CreditRefund } from "../lending/loan-account.ts";
import { nairaNumber } from "../money/kobo.ts";
import type { PresentedCreditRefund } from "./schedule-schemas.ts";

export function presentCreditRefund(loanId: string, refund: CreditRefund): PresentedCreditRefund {
  return {
    id: refund.id,
    loan_id: loanId,
    reference: refund.reference,
    channel: refund.channel,
    amount: nairaNumber(refund.amount),
    created_at: refund.refundedAt.toISOString(),
  };
}
