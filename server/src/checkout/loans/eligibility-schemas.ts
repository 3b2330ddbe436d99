/** Eligibility as the API shows it. */

import { type Static, Type } from "typebox";
import { named } from "../../platform/http/named-schema.ts";
import { NairaNumber, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { reasonCodes } from "../credit/decide.ts";

export const eligibilityData = named(
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

export type PresentedEligibility = Static<typeof eligibilityData>;
