import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

/** Refusals of the demo shop itself; those of the API are passed on as they are. */
const shopProblems = {
  shop_product_not_found: { status: 404, cause: "The shop does not sell this." },
  shop_order_not_found: { status: 404, cause: "This browser has made no such order." },
  shop_api_unreachable: { status: 503, cause: "The shop could not reach the API.", cure: "Try again in a moment." },
} as const satisfies ProblemCatalogue;

export const shopProblem = problemsFrom(shopProblems);
