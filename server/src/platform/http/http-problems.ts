import { type ProblemCatalogue, problemsFrom } from "../problem.ts";

/** Refusals that only the HTTP layer itself gives. */
export const httpProblems = {
  sandbox_only: {
    status: 403,
    cause: "This path steers a sandbox and takes test keys only.",
    cure: "Use a key that begins with sk_test_.",
  },
  invalid_page_token: {
    status: 401,
    cause: "This page's address is not complete or not known.",
    cure: "Open it again from where you were sent here.",
  },
  page_ended: {
    status: 404,
    cause: "This page is closed, because its time is over.",
    cure: "Ask the shop that sent you here for a new address.",
  },
  request_timeout: { status: 408, cause: "The request took too long to arrive.", cure: "Send it again." },
  headers_too_large: {
    status: 431,
    cause: "The path and headers are too large together.",
    cure: "Send fewer or shorter ones.",
  },
} as const satisfies ProblemCatalogue;

export const httpProblem = problemsFrom(httpProblems);
