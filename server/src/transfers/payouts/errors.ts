import { Type } from "typebox";
import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";

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
} as const satisfies ProblemCatalogue;

export const transferProblem = problemsFrom(transferProblems);
