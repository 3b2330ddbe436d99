import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

export const merchantProblems = {
  merchant_not_found: { status: 404, cause: "No merchant has this id." },
  live_environment_exists: {
    status: 409,
    cause: "This merchant has its live environment already.",
    cure: "Use that one, or add a sandbox.",
  },
} as const satisfies ProblemCatalogue;

export const merchantProblem = problemsFrom(merchantProblems);
