import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

export const loanProblems = {
  loan_not_found: { status: 404, cause: "No loan has this id or reference." },
  loan_being_disbursed: {
    status: 409,
    cause: "The loan is being paid out at this moment.",
    cure: "Wait for loan.disbursed, or retry when the payment has failed.",
  },
} as const satisfies ProblemCatalogue;

export const loanProblem = problemsFrom(loanProblems);
