import { ratePercent } from "../../lending/product.ts";
import { nairaNumber } from "../../money/kobo.ts";
import { keyRoute, type Route } from "../../platform/http/route.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { CustomerParams } from "../customers/schemas.ts";
import { eligibilityData, type PresentedEligibility } from "./eligibility-schemas.ts";
import { type Eligibility, readEligibility } from "./read-eligibility.ts";

export function eligibilityRoutes({ sealer }: { readonly sealer: Sealer }): Route[] {
  return [
    keyRoute({
      method: "GET",
      path: "/loans/bnpl/customers/{customerId}/eligibility",
      operationId: "getEligibility",
      tag: "Checkout",
      scope: "checkout:read",
      summary: "Check eligibility",
      description:
        "Whether the customer may borrow now, how much and for how many months, by the credit policy in force. Lists every reason against it. When a loan is requested, it is decided again.",
      params: CustomerParams,
      reply: { status: 200, title: "Eligibility", message: "Eligibility checked", data: eligibilityData },
      problems: ["checkout_customer_not_found"],
      handle: ({ params, read }) =>
        read(async (tx) => {
          const customer = await requireCustomer(tx, params.customerId);
          return { data: presentEligibility(await readEligibility(tx, sealer, customer)) };
        }),
    }),
  ];
}

function presentEligibility(eligibility: Eligibility): PresentedEligibility {
  return {
    customer_id: eligibility.customerId,
    eligible: eligibility.eligible,
    reasons: [...eligibility.reasons],
    currency: "NGN",
    min_amount: nairaNumber(eligibility.minAmount),
    max_amount: nairaNumber(eligibility.maxAmount),
    tenors: eligibility.tenors.map(({ tenor, rate }) => ({
      tenor,
      tenor_type: "monthly",
      interest_rate: ratePercent(rate),
    })),
    policy_version: eligibility.policyVersion,
    expires_at: eligibility.expiresAt.toISOString(),
  };
}
