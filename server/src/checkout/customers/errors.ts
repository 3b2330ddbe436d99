import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";

export const customerProblems = {
  checkout_customer_not_found: {
    status: 404,
    cause: "No customer has this id.",
    cure: "Onboard one with POST /loans/bnpl/customers.",
  },
  contact_change_not_found: {
    status: 404,
    cause: "No change of this customer's contact data has this id.",
    cure: "GET the customer: pending_change names the current one.",
  },
} as const satisfies ProblemCatalogue;

export const customerProblem = problemsFrom(customerProblems);
