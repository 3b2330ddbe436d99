import { Type } from "typebox";
import { NairaNumber } from "../../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";

export const billProblems = {
  bill_not_found: { status: 404, cause: "No bill has this id or reference." },
  customer_not_found: {
    status: 404,
    cause: "The provider has no customer with this number.",
    cure: "Check the number and the provider.",
  },
  unknown_network: { status: 422, cause: "No network has this code.", cure: "GET /bills/networks lists them all." },
  unknown_provider: {
    status: 422,
    cause: "No provider of this category has this code.",
    cure: "GET /bills/catalogs says where each category is listed.",
  },
  unknown_plan: {
    status: 422,
    cause: "This network has no plan with this code.",
    cure: "GET /bills/data/list?network= lists its plans.",
  },
  unknown_package: {
    status: 422,
    cause: "This provider has no package with this code.",
    cure: "GET /bills/tv/list?provider= lists its packages.",
  },
  meter_type_not_supported: {
    status: 422,
    cause: "This company does not serve meters of this type.",
    cure: "Choose one of meterTypes in GET /bills/electricity/list.",
  },
  validation_required: {
    status: 422,
    cause: "This customer is not validated with this provider.",
    cure: "Validate first, then vend: a validation counts for 30 minutes, and a smart card's ends as soon as a vend has changed its package. Nothing was taken.",
  },
  price_changed: {
    status: 422,
    cause: "The price has changed since the customer was validated.",
    cure: "Nothing was taken; validate again, then vend.",
    data: Type.Object({
      packageCode: Type.String({ examples: ["dstv-padi"] }),
      validatedAmount: NairaNumber,
      amount: NairaNumber,
    }),
  },
  package_not_current: {
    status: 422,
    cause: "Only the card's current package can be renewed.",
    cure: "Leave packageCode out, or send subscriptionType change.",
    data: Type.Object({ currentPackage: Type.String({ examples: ["dstv-padi"] }), renewalAmount: NairaNumber }),
  },
  nothing_to_renew: {
    status: 422,
    cause: "The provider named no package that could be renewed.",
    cure: "Validate again; if currentPackage is null, send subscriptionType change with a packageCode.",
  },
  biller_unavailable: {
    status: 503,
    cause: "The provider does not answer at the moment.",
    cure: "Nothing was taken; retry after the seconds in Retry-After.",
    retryAfter: true,
  },
} as const satisfies ProblemCatalogue;

export const billProblem = problemsFrom(billProblems);
