import type { CreditRefund } from "../lending/loan-account.ts";
import type { RepaymentView } from "../lending/read-loan-account.ts";
import { add } from "../money/arithmetic.ts";
import { nairaNumber, zeroKobo } from "../money/kobo.ts";
import type { PresentedRefund, PresentedRepayment } from "./schedule-schemas.ts";

const nothing = {
  ...{ fees: zeroKobo, lateFee: zeroKobo, interest: zeroKobo, principal: zeroKobo },
  ...{ credit: zeroKobo, suspense: zeroKobo, refunded: zeroKobo },
};

export function presentRepayment(loanId: string, repayment: RepaymentView): PresentedRepayment {
  const paid = repayment.allocation ?? nothing;
  return {
    id: repayment.id,
    loan_id: loanId,
    reference: repayment.reference,
    channel: repayment.channel,
    amount: nairaNumber(repayment.amount),
    allocation: {
      fees: nairaNumber(add(paid.fees, paid.lateFee)),
      interest: nairaNumber(paid.interest),
      principal: nairaNumber(paid.principal),
      credit: nairaNumber(paid.credit),
      suspense: nairaNumber(paid.suspense),
    },
    refunded: nairaNumber(paid.refunded),
    status: repayment.reversedAt === null ? "successful" : "reversed",
    created_at: repayment.recordedAt.toISOString(),
    reversed_at: repayment.reversedAt?.toISOString() ?? null,
    reversal_reason: repayment.reversalReason,
  };
}

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
