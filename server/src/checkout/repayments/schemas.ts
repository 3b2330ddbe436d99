/** Money that comes back, as the API takes and shows it. What events carry too is with the loan. */
import { type Static, Type } from "typebox";
import { repaymentData, walletField } from "../../lending/collect/repayment-on-wire.ts";
import { repaymentChannels } from "../../lending/position/repayment.ts";
import { named } from "../../platform/http/named-schema.ts";
import { OneOf } from "../../platform/http/wire.ts";

/** A repayment as in every list, and one whose charge the card network has not answered yet. */
export const checkoutRepaymentData = named(
  "CheckoutRepayment",
  Type.Object({
    ...repaymentData.properties,
    status: OneOf(["successful", "reversed", "processing"]),
  }),
);

export type PresentedCheckoutRepayment = Static<typeof checkoutRepaymentData>;

export const reductionBody = named(
  "NewCheckoutRefund",
  Type.Object({
    amount: Type.Number({
      format: "naira",
      exclusiveMinimum: 0,
      maximum: 1_000_000_000,
      description: "Naira with at most two decimals; with earlier refunds at most the loan's amount.",
      examples: [10000],
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: "\\S",
      description: "Why; kept with the refund.",
      examples: ["One item was returned"],
    }),
    reference: Type.String({
      minLength: 1,
      maxLength: 100,
      description: "Yours, and used once: the same reference with the same content is the same refund.",
      examples: ["refund-1042"],
    }),
  }),
);

export const creditRefundBody = named(
  "NewCreditRefund",
  Type.Object({
    amount: Type.Number({
      format: "naira",
      exclusiveMinimum: 0,
      maximum: 1_000_000_000,
      description: "Naira with at most two decimals; at most the loan's credit.",
      examples: [1500],
    }),
    reference: Type.String({
      minLength: 1,
      maxLength: 100,
      description: "Yours, and used once: the same reference with the same content is the same refund.",
      examples: ["credit-1042"],
    }),
    channel: OneOf(repaymentChannels, {
      description:
        "The way back, which is the way the customer paid: card refunds a charge of this loan, wallet pays into your wallet. Cash and bank_transfer you pay out yourself, and the wallet that was debited is credited.",
      examples: ["card"],
    }),
    wallet_id: walletField,
  }),
);
