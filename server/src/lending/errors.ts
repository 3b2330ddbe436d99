import { Type } from "typebox";
import { NairaNumber, OneOf } from "../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";
import { repaymentChannels } from "./loan-account.ts";

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
  lender_funds_promised: {
    status: 422,
    cause: "Approved loans are waiting for this money.",
    cure: "Take out at most data.withdrawable, or cancel loans that are not to be paid out.",
    data: Type.Object({ available: NairaNumber, promised: NairaNumber, withdrawable: NairaNumber }),
  },
  lender_funds_differ: {
    status: 409,
    cause: "After this the lender would have put in data.fundedAfter, and not what you expect.",
    cure: "Nothing was moved. Check the amount, and read the funds and their movements again: somebody may have booked it already.",
    data: Type.Object({ fundedAfter: NairaNumber, expected: NairaNumber }),
  },
  evidence_used: {
    status: 409,
    cause: "This evidence was booked before, under the reference in data.reference.",
    cure: "Nothing was moved. If it is other money, name its own session id or line of the statement.",
    data: Type.Object({ reference: Type.String({ examples: ["lender-in-2026-11-03"] }) }),
  },
  card_not_linked: {
    status: 422,
    cause: "No card is linked for this borrower.",
    cure: "Use the channel wallet, cash or bank_transfer.",
  },
} as const satisfies ProblemCatalogue;

export const lendingProblem = problemsFrom(lendingProblems);
