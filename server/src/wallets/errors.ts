import { Type } from "typebox";
import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

export const walletProblems = {
  wallet_not_found: {
    status: 404,
    cause: "None of your wallets has this id or number.",
    cure: "GET /wallets/sub-accounts lists the sub-accounts.",
  },
  source_account_not_found: {
    status: 422,
    cause: "The wallet in sourceAccountId is not one of yours.",
    cure: "GET /wallets/sub-accounts lists them.",
  },
  suspense_not_found: {
    status: 404,
    cause: "Nothing in suspense has this id.",
    cure: "GET /operator/suspense lists what is there.",
  },
  suspense_assigned: {
    status: 409,
    cause: "This money was assigned to another wallet already.",
    cure: "Move it from there if that was wrong.",
    data: Type.Object({ accountId: Type.String({ description: "The wallet that has it." }) }),
  },
  suspense_currency: {
    status: 409,
    cause: "This money is not in naira and cannot be put into a wallet.",
    cure: "Give it back at the provider.",
    data: Type.Object({ currency: Type.String({ examples: ["USD"] }) }),
  },
  suspense_mode_mismatch: {
    status: 422,
    cause: "Real money can only go to a live wallet, and test money only to a wallet of a sandbox.",
    cure: "Choose a wallet of the right kind of environment.",
  },
  same_account: { status: 422, cause: "The accounts from and to are the same.", cure: "Choose two different ones." },
} as const satisfies ProblemCatalogue;

export const walletProblem = problemsFrom(walletProblems);
