import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";

export const customerProblems = {
  checkout_customer_not_found: {
    status: 404,
    message: "No customer has this id. Onboard one with POST /loans/bnpl/customers.",
  },
  contact_change_not_found: {
    status: 404,
    message:
      "No change of this customer's contact data has this id. GET the customer: pending_change names the current one.",
  },
} as const satisfies ProblemCatalogue;

export const customerProblem = problemsFrom(customerProblems);
