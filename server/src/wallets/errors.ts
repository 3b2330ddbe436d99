import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

export const walletProblems = {
  wallet_not_found: {
    status: 404,
    message: "None of your wallets has this id or number. GET /wallets/sub-accounts lists the sub-accounts.",
  },
  source_account_not_found: {
    status: 422,
    message: "The wallet in sourceAccountId is not one of yours. GET /wallets/sub-accounts lists them.",
  },
  same_account: { status: 422, message: "The accounts from and to are the same. Choose two different ones." },
} as const satisfies ProblemCatalogue;

export const walletProblem = problemsFrom(walletProblems);
