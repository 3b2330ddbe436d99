/** Consent as the API asks for it and shows it. */

import { type Static, Type } from "typebox";
import { tenorTypes } from "../../lending/pricing/product.ts";
import { named } from "../../platform/http/named-schema.ts";
import { NairaString, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { keysOf } from "../../platform/keys-of.ts";
import { checkoutLoanTransitions } from "../loans/checkout-loan.ts";

export const verifyBody = Type.Object({
  otp: Type.String({
    pattern: "^[0-9]{6}$",
    description: "The six digits that the customer received. In a sandbox 123456 is right.",
    examples: ["123456"],
  }),
});

const channel = OneOf(["sms"]);
const destination = Type.String({ description: "Where the code was sent, masked.", examples: ["0803****678"] });

export const consentRequestData = named(
  "ConsentRequest",
  Type.Object({
    loan_id: Uuid,
    consent_status: OneOf(["pending_consent"]),
    channel,
    destination,
    expires_at: Timestamp,
    resend_after: Type.String({
      format: "date-time",
      description: "When another code can be requested.",
      examples: ["2026-11-01T08:31:00.000Z"],
    }),
  }),
);

export const verifiedData = named(
  "VerifiedConsent",
  Type.Object({
    loan_id: Uuid,
    consent_status: OneOf(["consented"]),
    status: OneOf(keysOf(checkoutLoanTransitions), {
      description: "The loan's state now: it waits for a card, or is approved.",
      examples: ["pending_card"],
    }),
    consented_at: Timestamp,
  }),
);

export type VerifiedConsent = Static<typeof verifiedData>;

const date = Type.String({ format: "date", description: "A date in Lagos.", examples: ["2026-12-01"] });

const terms = named(
  "LoanTerms",
  Type.Object(
    {
      version: Type.Optional(
        Type.String({
          description: "The version of the text. Consents given before texts had versions do not have it.",
          examples: ["2026-11"],
        }),
      ),
      lender: Type.String({ examples: ["Sample Lender (sandbox)"] }),
      lender_registration: Type.Optional(Type.String({ examples: ["no registration: sandbox sample"] })),
      merchant: Type.String({ examples: ["Mama Put Foods"] }),
      currency: OneOf(["NGN"]),
      amount: NairaString,
      tenor: Type.Integer({ examples: [3] }),
      tenor_type: OneOf(tenorTypes, { examples: ["monthly"] }),
      interest_rate: Type.Number({ description: "Percent per month, flat.", examples: [2.5] }),
      annual_rate: Type.Optional(
        Type.Number({ description: "Percent a year, effective, with every fee.", examples: [54.74] }),
      ),
      total_interest: NairaString,
      total_fees: NairaString,
      total_repayment: NairaString,
      installment_amount: NairaString,
      schedule: Type.Array(
        Type.Object({
          installment_number: Type.Integer({ examples: [1] }),
          due_date: date,
          principal: NairaString,
          interest: NairaString,
          fees: NairaString,
          amount_due: NairaString,
        }),
      ),
      statement: Type.String({
        description: "What the customer ticks on the hosted page.",
        examples: ["I borrow NGN 60,000.00 from Sample Lender (sandbox) to pay Mama Put Foods, and repay it by card."],
      }),
      late_fee: Type.Optional(Type.String({ examples: ["A late payment costs a fee of 1% of that payment."] })),
      conditions: Type.Optional(Type.Array(Type.String({ examples: ["You may pay early, in part or in full."] }))),
      complaints: Type.Optional(Type.String({ examples: ["Write to the lender first, then to the FCCPC."] })),
    },
    { description: "What the customer was shown." },
  ),
);

export const consentData = named(
  "Consent",
  Type.Object({
    id: Uuid,
    loan_id: Uuid,
    customer_id: Uuid,
    consent_status: OneOf(["consented"]),
    channel,
    destination,
    message_id: Uuid,
    terms,
    schedule_hash: Type.String({
      pattern: "^[0-9a-f]{64}$",
      description:
        "SHA-256 over `terms` as JSON in its canonical form: UTF-8, no blanks, the members of each object in the order of their names.",
      examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    }),
    requested_at: Timestamp,
    consented_at: Timestamp,
  }),
);

export type PresentedConsent = Static<typeof consentData>;
