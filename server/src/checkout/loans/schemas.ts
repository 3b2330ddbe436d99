/** Checkout loans as the API asks for them and shows them. */

import { type Static, Type } from "typebox";
import { scheduleItem } from "../../lending/account/schedule-on-wire.ts";
import { repaymentChannels } from "../../lending/position/repayment.ts";
import { named } from "../../platform/http/named-schema.ts";
import { EnvironmentWord, NairaNumber, Nullable, OneOf, PathId, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { keysOf } from "../../platform/keys-of.ts";
import { AccountNumber, BankCode } from "../../transfers/payouts/fields.ts";
import { checkoutLoanTransitions, consentTransitions } from "./checkout-loan.ts";

const statuses = keysOf(checkoutLoanTransitions);
const consentStatuses = keysOf(consentTransitions);

export const LoanParams = Type.Object({ loanId: PathId });

export const requestLoanBody = named(
  "NewCheckoutLoan",
  Type.Object({
    amount: Type.Union(
      [
        Type.Number({ format: "naira", exclusiveMinimum: 0, maximum: 1_000_000_000_000 }),
        Type.String({ pattern: "^[0-9]{1,13}(\\.[0-9]{1,2})?$" }),
      ],
      { description: "Naira, as a number or a decimal string, inside the band of the eligibility.", examples: [50000] },
    ),
    tenor: Type.Integer({ minimum: 1, maximum: 120, description: "Months; one of the tenors offered.", examples: [6] }),
    bank_account_no: AccountNumber,
    bank_code: BankCode,
  }),
);

export type RequestLoanBody = Static<typeof requestLoanBody>;

const requirement = named(
  "LoanRequirement",
  Type.Object({
    type: OneOf(["consent", "card_link", "identity"], {
      description:
        "`identity` is asked of few: nothing shows yet that the customer owns the BVN, so the lender looks before the loan is granted.",
    }),
    status: OneOf(["pending", "met"]),
  }),
);

export const checkoutLoanData = named(
  "CheckoutLoan",
  Type.Object({
    id: Uuid,
    customer_id: Uuid,
    reference: Uuid,
    amount: NairaNumber,
    tenor: Type.Integer({ examples: [6] }),
    tenor_type: OneOf(["monthly"]),
    interest_rate: Type.Number({ description: "Percent per month.", examples: [2.5] }),
    total_interest: NairaNumber,
    total_repayment: NairaNumber,
    installment_amount: NairaNumber,
    balance: NairaNumber,
    credit: Type.Number({
      description: "Overpaid, or refunded by you after the loan was repaid, and not given back yet.",
      examples: [0],
    }),
    bank_account_no: AccountNumber,
    bank_code: BankCode,
    bank_name: Type.String({ examples: ["Guaranty Trust Bank"] }),
    account_name: Type.String({ examples: ["Mama Put Foods"] }),
    status: OneOf(statuses, {
      description: "Moves as drawn in the section Checkout, under States of a checkout loan.",
    }),
    consent_status: OneOf(consentStatuses),
    requirements: Type.Array(requirement),
    schedules: Type.Array(scheduleItem),
    next_due_date: Nullable(Timestamp),
    environment: EnvironmentWord,
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
);

export type PresentedCheckoutLoan = Static<typeof checkoutLoanData>;

const reason = Type.Object({
  code: Type.String({ examples: ["51"] }),
  message: Type.String({ examples: ["Insufficient funds"] }),
});

/** What `bnpl.loan.repayment.failed` carries: money that did not come, or that did not stay. */
export const failedRepaymentData = named(
  "FailedRepayment",
  Type.Object({
    id: Uuid,
    loan_id: Uuid,
    reference: Type.String({ examples: ["repay-1042-1"] }),
    channel: OneOf(["wallet", "card", "cash", "bank_transfer"], { examples: ["card"] }),
    amount: NairaNumber,
    status: OneOf(["failed", "reversed"], {
      description: "Failed: a charge was declined. Reversed: taken back later.",
    }),
    reason,
    attempt: Nullable(Type.Integer({ description: "Which try for the due date.", examples: [1] })),
    next_attempt_at: Nullable(Timestamp),
    created_at: Timestamp,
  }),
);

export type FailedRepayment = Static<typeof failedRepaymentData>;

export const reductionData = named(
  "CheckoutRefund",
  Type.Object({
    id: Uuid,
    loan_id: Uuid,
    reference: Type.String({ examples: ["refund-1042"] }),
    amount: NairaNumber,
    reason: Type.String({ examples: ["One item was returned"] }),
    created_at: Timestamp,
    loan: checkoutLoanData,
  }),
);

export type PresentedReduction = Static<typeof reductionData>;

export const creditRefundData = named(
  "CheckoutCreditRefund",
  Type.Object({
    id: Uuid,
    loan_id: Uuid,
    reference: Type.String({ examples: ["credit-1042"] }),
    channel: OneOf(repaymentChannels, { examples: ["card"] }),
    amount: NairaNumber,
    status: OneOf(["successful", "processing"], { description: "Processing: the card network has not answered yet." }),
    created_at: Timestamp,
  }),
);

export type PresentedCreditRefund = Static<typeof creditRefundData>;
