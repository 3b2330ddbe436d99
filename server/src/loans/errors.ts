import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

export const loanProblems = {
  loan_not_found: { status: 404, message: "No loan has this id." },
  loan_being_disbursed: {
    status: 409,
    message:
      "The loan is being paid out at this moment. Wait for loan.disbursed, or retry when the payment has failed.",
  },
  card_not_linked: {
    status: 422,
    message: "No card is linked for this borrower. Use the channel wallet, cash or bank_transfer.",
  },
} as const satisfies ProblemCatalogue;

export const loanProblem = problemsFrom(loanProblems);
