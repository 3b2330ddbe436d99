import { Type } from "typebox";
import { Nullable, OneOf } from "../../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";

/** The latest payment by hand that this one repeats. */
export const RepeatedPayment = Type.Object({
  paymentId: Type.String({ description: "Confirms that this payment is to be made again." }),
  kind: OneOf(["payout", "batch"]),
  isWaiting: Type.Boolean({ description: "Whether it waits for a second person." }),
  recordId: Nullable(Type.String({ description: "The transfer or the batch." })),
  amount: Type.Number({ description: "All of it, in naira.", examples: [240_000] }),
  paidAt: Type.String({ format: "date-time" }),
  paidBy: Type.String({ examples: ["Ada Obi"] }),
  isOwn: Type.Boolean({ description: "Whether you made it." }),
  secondsAgo: Type.Integer({ examples: [180] }),
  repeatedCount: Type.Integer({ description: "How many of its payouts would be paid again.", examples: [2] }),
});

export const transferProblems = {
  transfer_not_found: { status: 404, cause: "No transfer has this id or reference." },
  unknown_bank: { status: 422, cause: "No bank has this code.", cure: "GET /transfers/banks lists them all." },
  account_number_invalid: {
    status: 422,
    cause: "The account number's check digit does not fit the bank.",
    cure: "Check the number and the bank code.",
  },
  amount_below_minimum: {
    status: 422,
    cause: "The smallest transfer is 100.00 NGN.",
    cure: "Pay at least that much, or collect small amounts into one payout.",
  },
  amount_above_maximum: {
    status: 422,
    cause: "The largest transfer is 10,000,000.00 NGN.",
    cure: "Split it into several.",
  },
  account_name_mismatch: {
    status: 422,
    cause: "The bank's name for the account holder is not accountName.",
    cure: "Nothing was taken; compare both names in data.",
    data: Type.Object({
      expectedName: Type.String({ examples: ["ADA OBI"] }),
      accountName: Type.String({ description: "The name that the bank has.", examples: ["CHIDI OKAFOR"] }),
    }),
  },
  payment_repeated: {
    status: 409,
    cause: "The same recipients were paid the same amounts a short time ago.",
    cure: "Nothing was taken. Look at the earlier payment; to pay again, confirm it.",
    data: RepeatedPayment,
  },
} as const satisfies ProblemCatalogue;

export const transferProblem = problemsFrom(transferProblems);
