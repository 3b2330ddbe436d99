import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

export const lendingProblems = {
  repayment_not_found: { status: 404, message: "This loan has no repayment with this id." },
  credit_too_small: {
    status: 422,
    message: "The loan's credit balance is smaller than the amount. data.credit says how much can be refunded.",
  },
} as const satisfies ProblemCatalogue;

export const lendingProblem = problemsFrom(lendingProblems);
