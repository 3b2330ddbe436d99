/** Schedules, quotes and repayments as the API shows them. */
import { type Static, Type } from "typebox";
import { repaymentChannels } from "../lending/loan-account.ts";
import { tenureTypes } from "../lending/product.ts";
import { NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { AmountString, TenureString } from "./application-fields.ts";

const scheduleFields = {
  installment_number: Type.Integer({ examples: [1] }),
  due_date: Timestamp,
  principal: NairaNumber,
  interest: NairaNumber,
  fees: NairaNumber,
  amount_due: NairaNumber,
  late_fee: Type.Number({ description: "Comes on top of amount_due when the instalment is overdue.", examples: [0] }),
  amount_paid: NairaNumber,
  balance: NairaNumber,
  status: OneOf(["pending", "partially_paid", "paid", "overdue"]),
  paid_at: Nullable(Timestamp),
};

export const scheduleItem = Type.Object({ id: Uuid, ...scheduleFields });
export type ScheduleItem = Static<typeof scheduleItem>;

/** Nothing of a quote is stored, so its instalments have no ids. */
const quotedItem = Type.Object({ id: Type.Null(), ...scheduleFields });

export const quoteBody = Type.Object(
  {
    amount: Type.Union([AmountString, Type.Number({ format: "naira", exclusiveMinimum: 0 })], {
      description: "Naira, as a string like that of POST /loans/create or as a number.",
      examples: ["50000"],
    }),
    tenure: Type.Union([TenureString, Type.Integer({ minimum: 1, maximum: 99_999 })], {
      description: "In units of tenure_type, as a string or as a number.",
      examples: ["6"],
    }),
    tenure_type: OneOf(tenureTypes, { examples: ["monthly"] }),
  },
  { examples: [{ amount: "50000", tenure: "6", tenure_type: "monthly" }] },
);

export const quoteData = Type.Object({
  amount: NairaNumber,
  tenure: Type.Integer({ examples: [6] }),
  tenure_type: OneOf(tenureTypes, { examples: ["monthly"] }),
  interest_rate: Type.Number({ description: "Percent per period.", examples: [4] }),
  total_interest: NairaNumber,
  total_repayment: NairaNumber,
  installment_amount: NairaNumber,
  schedules: Type.Array(quotedItem),
});

export const repaymentBody = Type.Object({
  amount: Type.Number({
    format: "naira",
    exclusiveMinimum: 0,
    maximum: 1_000_000_000,
    description: "Naira with at most two decimals.",
    examples: [9333.34],
  }),
  reference: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "Yours, and used once: the same reference with the same content is the same repayment.",
    examples: ["repay-1042-1"],
  }),
  channel: OneOf(repaymentChannels, {
    description:
      "Who pays: wallet debits your main wallet, card charges the borrower's linked card, cash and bank_transfer are received by you and become owed by you to the lender.",
  }),
});

export type RepaymentBody = Static<typeof repaymentBody>;

export const repaymentData = Type.Object({
  id: Uuid,
  loan_id: Uuid,
  reference: Type.String({ examples: ["repay-1042-1"] }),
  channel: OneOf(repaymentChannels),
  amount: NairaNumber,
  allocation: Type.Object(
    { fees: NairaNumber, interest: NairaNumber, principal: NairaNumber, credit: NairaNumber, suspense: NairaNumber },
    {
      description:
        "What it paid. credit is more than was owed; suspense came after a write-off. All zero when it was reversed.",
      examples: [{ fees: 0, interest: 2000, principal: 7333.34, credit: 0, suspense: 0 }],
    },
  ),
  refunded: Type.Number({ description: "What of it was given back.", examples: [0] }),
  status: OneOf(["successful", "reversed"]),
  created_at: Timestamp,
  reversed_at: Nullable(Timestamp),
  reversal_reason: Nullable(Type.String({ examples: ["The transfer bounced"] })),
});

export type PresentedRepayment = Static<typeof repaymentData>;

export const reversalBody = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: "\\S",
      description: "Why the repayment does not count; kept with it.",
    }),
  },
  { examples: [{ reason: "The transfer bounced" }] },
);

export const refundData = Type.Object({
  id: Uuid,
  loan_id: Uuid,
  reference: Type.String({ examples: ["refund-1042"] }),
  channel: OneOf(repaymentChannels),
  amount: NairaNumber,
  created_at: Timestamp,
});

export type PresentedRefund = Static<typeof refundData>;
