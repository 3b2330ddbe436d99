/** Repayments as they are asked for and shown by the API, wherever a loan is repaid. */

import { type Static, Type } from "typebox";
import { add } from "../../money/arithmetic.ts";
import { nairaNumber, zeroKobo } from "../../money/kobo.ts";
import { named } from "../../platform/http/named-schema.ts";
import { NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import type { RepaymentView } from "../account/read-loan-account.ts";
import { repaymentChannels } from "../position/repayment.ts";

export const walletField = Type.Optional(
  Type.String({
    format: "uuid",
    description: "A sub-account of yours, in place of your main wallet. A card needs none.",
  }),
);

export const repaymentBody = named(
  "NewRepayment",
  Type.Object({
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
        "How the borrower paid: wallet debits your wallet, card charges the borrower's linked card. What you received as cash or bank_transfer you keep, and the same amount is debited to your wallet.",
    }),
    wallet_id: walletField,
  }),
);

export type RepaymentBody = Static<typeof repaymentBody>;

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

export const repaymentData = named(
  "Repayment",
  Type.Object({
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
  }),
);

export type PresentedRepayment = Static<typeof repaymentData>;

const nothing = {
  fees: zeroKobo,
  lateFee: zeroKobo,
  interest: zeroKobo,
  principal: zeroKobo,
  credit: zeroKobo,
  suspense: zeroKobo,
  refunded: zeroKobo,
};

export function presentRepayment(loanId: string, repayment: RepaymentView): PresentedRepayment {
  const paid = repayment.allocation ?? nothing;
  return {
    id: repayment.id,
    loan_id: loanId,
    reference: repayment.reference,
    channel: repayment.channel,
    amount: nairaNumber(repayment.amount),
    allocation: {
      fees: nairaNumber(add(paid.fees, paid.lateFee)),
      interest: nairaNumber(paid.interest),
      principal: nairaNumber(paid.principal),
      credit: nairaNumber(paid.credit),
      suspense: nairaNumber(paid.suspense),
    },
    refunded: nairaNumber(paid.refunded),
    status: repayment.reversedAt === null ? "successful" : "reversed",
    created_at: repayment.recordedAt.toISOString(),
    reversed_at: repayment.reversedAt?.toISOString() ?? null,
    reversal_reason: repayment.reversalReason,
  };
}
