import { Type } from "typebox";
import { NairaNumber, OneOf } from "../../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";
import { repaymentChannels } from "../position/repayment.ts";

const Refundable = Type.Object({ refundable: NairaNumber });

export const lendingProblems = {
  repayment_not_found: { status: 404, cause: "This loan has no repayment with this id." },
  credit_too_small: {
    status: 422,
    cause: "The loan's credit balance is smaller than the amount.",
    cure: "data.credit says how much can be refunded.",
    data: Type.Object({ credit: NairaNumber }),
  },
  refund_channel_mismatch: {
    status: 422,
    cause: "Money goes back through the channel it came by, and less has come by this one.",
    cure: "data.refundable says how much can go back.",
    data: Refundable,
  },
  refund_exceeds_loan: {
    status: 422,
    cause: "Refunds of one loan never exceed its amount.",
    cure: "data.refundable says how much can still be refunded.",
    data: Refundable,
  },
  repayment_refunded: {
    status: 409,
    cause:
      "This repayment can no longer be reversed: a refund of credit has already given back money from the same channel, and it would go back twice.",
    cure: "data.paid and data.refunded say how much came through the channel and how much went back. Settle the difference with the borrower.",
    data: Type.Object({ channel: OneOf(repaymentChannels), paid: NairaNumber, refunded: NairaNumber }),
  },
  lender_funds_short: {
    status: 422,
    cause: "The lender's funds hold too little to give the principal back: it was lent again.",
    cure: "Nothing was changed. An operator must fund the lender with at least data.short; then retry.",
    data: Type.Object({ short: NairaNumber }),
  },
  card_not_linked: {
    status: 422,
    cause: "No card is linked for this borrower.",
    cure: "Use the channel wallet, cash or bank_transfer.",
  },
} as const satisfies ProblemCatalogue;

export const lendingProblem = problemsFrom(lendingProblems);
