/** Quotes, reversals and refunds as the API shows them. */

import { type Static, Type } from "typebox";
import { scheduleFields } from "../lending/account/schedule-on-wire.ts";
import { repaymentChannels } from "../lending/position/repayment.ts";
import { tenorTypes } from "../lending/pricing/product.ts";
import { named } from "../platform/http/named-schema.ts";
import { NairaNumber, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { AmountString, TenureString } from "./application-fields.ts";

/** Nothing of a quote is stored, so its instalments have no ids. */
const quotedItem = named("QuotedInstallment", Type.Object({ id: Type.Null(), ...scheduleFields }));

export const quoteBody = named(
  "NewLoanQuote",
  Type.Object(
    {
      amount: Type.Union([AmountString, Type.Number({ format: "naira", exclusiveMinimum: 0 })], {
        description: "Naira, as a string like that of POST /loans/create or as a number.",
        examples: ["50000"],
      }),
      tenure: Type.Union([TenureString, Type.Integer({ minimum: 1, maximum: 99_999 })], {
        description: "In units of tenure_type, as a string or as a number.",
        examples: ["6"],
      }),
      tenure_type: OneOf(tenorTypes, { examples: ["monthly"] }),
    },
    { examples: [{ amount: "50000", tenure: "6", tenure_type: "monthly" }] },
  ),
);

export const quoteData = named(
  "LoanQuote",
  Type.Object({
    amount: NairaNumber,
    tenure: Type.Integer({ examples: [6] }),
    tenure_type: OneOf(tenorTypes, { examples: ["monthly"] }),
    interest_rate: Type.Number({ description: "Percent per period.", examples: [4] }),
    total_interest: NairaNumber,
    total_repayment: NairaNumber,
    installment_amount: NairaNumber,
    schedules: Type.Array(quotedItem),
  }),
);

export const refundData = named(
  "LoanCreditRefund",
  Type.Object({
    id: Uuid,
    loan_id: Uuid,
    reference: Type.String({ examples: ["refund-1042"] }),
    channel: OneOf(repaymentChannels),
    amount: NairaNumber,
    created_at: Timestamp,
  }),
);

export type PresentedCreditRefund = Static<typeof refundData>;
