import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";

export const sessionProblems = {
  checkout_session_not_found: { status: 404, message: "No checkout session has this id." },
  session_expired: {
    status: 409,
    message: "This checkout has expired, and nothing was bought. Go back to the shop and order again.",
  },
} as const satisfies ProblemCatalogue;

export const sessionProblem = problemsFrom(sessionProblems);
