import { type Static, Type } from "typebox";
import { ratePercent } from "../../lending/pricing/product.ts";
import { nairaNumber } from "../../money/kobo.ts";
import { named } from "../../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { NairaNumber, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { reasonCodes } from "../credit/decide.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { CustomerParams } from "../customers/schemas.ts";
import { type Eligibility, readEligibility } from "./read-eligibility.ts";

export function eligibilityRoutes({ sealer }: { readonly sealer: Sealer }): Route[] {
  return [
    describeRoute("key", {
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

/** Eligibility as the API shows it. */
const eligibilityData = named(
  "Eligibility",
  Type.Object({
    customer_id: Uuid,
    eligible: Type.Boolean({ examples: [true] }),
    reasons: Type.Array(
      Type.Object({
        code: OneOf(reasonCodes, { examples: ["overdue_loan"] }),
        message: Type.String({
          examples: ["An instalment is overdue. The customer can borrow again once it is paid."],
        }),
      }),
      { description: "Every reason against a loan; empty when the customer is eligible.", examples: [[]] },
    ),
    currency: OneOf(["NGN"]),
    min_amount: NairaNumber,
    max_amount: Type.Number({ description: "What is left below the limit; 0 while not eligible.", examples: [200000] }),
    tenors: Type.Array(
      Type.Object({
        tenor: Type.Integer({ examples: [6] }),
        tenor_type: OneOf(["monthly"]),
        interest_rate: Type.Number({ description: "Percent per month.", examples: [2.5] }),
      }),
    ),
    policy_version: Type.Integer({ description: "Of the credit policy that decided.", examples: [1] }),
    expires_at: Timestamp,
  }),
);

type PresentedEligibility = Static<typeof eligibilityData>;
