import { Type } from "typebox";
import { NairaNumber, OneOf } from "../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

export const ledgerProblems = {
  insufficient_funds: {
    status: 422,
    cause: "The account does not hold enough for the amount and its fees.",
    cure: "Nothing was taken; fund it and retry.",
    data: Type.Object({
      balance: NairaNumber,
      needed: NairaNumber,
      short: NairaNumber,
      currency: OneOf(["NGN"]),
    }),
  },
  account_gone: {
    status: 422,
    cause: "An account of this payment does not exist any more; the sandbox was reset.",
    cure: "List your wallets again.",
  },
  ledger_busy: {
    status: 503,
    cause: "Too many payments are waiting for this environment.",
    cure: "Nothing was taken; retry after the seconds in Retry-After.",
    retryAfter: true,
  },
} as const satisfies ProblemCatalogue;

export const ledgerProblem = problemsFrom(ledgerProblems);
