/** What the plan's page shows and sends, and the address that a merchant is given. */

import { type Static, Type } from "typebox";
import { repaymentChannels } from "../../lending/position/repayment.ts";
import { named } from "../../platform/http/named-schema.ts";
import { NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { keysOf } from "../../platform/keys-of.ts";
import { cardBrands } from "../../rails/card.ts";
import { checkoutLoanTransitions } from "../loans/checkout-loan.ts";
import { disclosure, environment, sentCode, shownCard } from "../pages/schemas.ts";

export const pageBody = Type.Object({
  renew: Type.Optional(
    Type.Boolean({
      description:
        "true replaces an address that still works, for example one that fell into wrong hands. The old address stops working, and a visitor who is there is sent away.",
      examples: [false],
    }),
  ),
});

export const pageData = named(
  "CheckoutLoanPage",
  Type.Object({
    loan_id: Uuid,
    url: Type.String({
      description:
        "The customer's own page. It shows nothing before a code to the customer's phone was typed in, so it may be sent by any channel.",
      examples: ["https://api.example.com/plans/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11#sT0k3n"],
    }),
    expires_at: Timestamp,
  }),
);

/** The door: nothing of the customer, nothing of the loan. */
export const doorView = Type.Object({
  environment,
  merchantName: Type.String(),
  merchantLogo: Nullable(Type.String()),
  code: Nullable(sentCode),
  now: Timestamp,
});

export type DoorView = Static<typeof doorView>;

export const enteredView = Type.Object({ visitToken: Type.String(), expiresAt: Timestamp });
export type EnteredView = Static<typeof enteredView>;

const instalment = Type.Object({
  number: Type.Integer(),
  /** A calendar date of Lagos. */
  dueDate: Type.String({ format: "date" }),
  /** With the late fee, if one was charged. */
  amount: NairaNumber,
  lateFee: NairaNumber,
  paid: NairaNumber,
  balance: NairaNumber,
  status: OneOf(["pending", "partially_paid", "paid", "overdue"]),
});

const charge = Type.Object({
  amount: NairaNumber,
  status: OneOf(["processing", "successful", "failed"]),
  /** Taken by itself on a due date, or asked for. */
  kind: OneOf(["collection", "repayment"]),
  startedAt: Timestamp,
  reason: Nullable(Type.String()),
  /** Where the customer confirms it with the bank, if the bank wants that. */
  confirmUrl: Nullable(Type.String()),
});

const payment = Type.Object({
  id: Uuid,
  amount: NairaNumber,
  paidAt: Timestamp,
  channel: OneOf(repaymentChannels),
  card: Nullable(Type.Object({ brand: OneOf(cardBrands), last4: Type.String() })),
  principal: NairaNumber,
  interest: NairaNumber,
  fees: NairaNumber,
  /** More than was owed. */
  credit: NairaNumber,
  refunded: NairaNumber,
  status: OneOf(["successful", "reversed"]),
});

export const planView = Type.Object({
  reference: Uuid,
  status: OneOf(keysOf(checkoutLoanTransitions)),
  environment,
  merchantName: Type.String(),
  merchantLogo: Nullable(Type.String()),
  orderReference: Nullable(Type.String()),
  customer: Type.Object({ name: Type.String(), firstName: Type.String(), phone: Type.String() }),
  startedAt: Nullable(Timestamp),
  amount: NairaNumber,
  tenor: Type.Integer(),
  interestRate: Type.Number(),
  annualRate: Type.Number(),
  totalInterest: NairaNumber,
  totalFees: NairaNumber,
  lateFees: NairaNumber,
  totalRepayment: NairaNumber,
  paid: NairaNumber,
  balance: NairaNumber,
  credit: NairaNumber,
  /** The earliest instalment that is open, and what is unpaid of it. */
  next: Nullable(
    Type.Object({ number: Type.Integer(), amount: NairaNumber, dueDate: Type.String(), isLate: Type.Boolean() }),
  ),
  /** What has fallen due and is not paid. */
  due: NairaNumber,
  /** What closes the plan today. */
  settlement: NairaNumber,
  canPay: Type.Boolean(),
  schedule: Type.Array(instalment),
  card: Nullable(shownCard),
  charge: Nullable(charge),
  payments: Type.Array(payment),
  disclosure,
  expiresAt: Timestamp,
  now: Timestamp,
});

export type PlanView = Static<typeof planView>;

export const payBody = Type.Object({
  amount: Type.Number({ format: "naira", exclusiveMinimum: 0, maximum: 1_000_000_000 }),
  /** The balance that the customer was looking at. */
  owed: Type.Number({ format: "naira", minimum: 0, maximum: 1_000_000_000 }),
  /** One press of the button: the same again is the same payment. */
  press: Type.String({ format: "uuid" }),
});

export const leftView = Type.Object({ left: Type.Literal(true) });
