/** What the hosted checkout shows and sends. */

import { type Static, Type } from "typebox";
import { NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { agreement, disclosure, environment, reason, sentCode, shownCard } from "../pages/schemas.ts";
import { sessionStatuses } from "./checkout-session.ts";

const instalment = Type.Object({
  number: Type.Integer(),
  /** A calendar date of Lagos. */
  dueDate: Type.String({ format: "date" }),
  amountDue: NairaNumber,
  principal: NairaNumber,
  interest: NairaNumber,
  fees: NairaNumber,
});

const plan = {
  /** Months. */
  tenor: Type.Integer(),
  /** Percent a month, flat. */
  interestRate: Type.Number(),
  /** Percent a year, effective, with every fee. */
  annualRate: Type.Number(),
  installmentAmount: NairaNumber,
  totalInterest: NairaNumber,
  totalFees: NairaNumber,
  totalRepayment: NairaNumber,
  schedule: Type.Array(instalment),
};

const offer = Type.Object(plan);
export type Offer = Static<typeof offer>;

const loan = Type.Object({ id: Uuid, status: Type.String(), ...plan });
export type ShownLoan = Static<typeof loan>;

export const steps = [
  "offer",
  "consent",
  "card",
  "processing",
  "completed",
  "expired",
  "cancelled",
  "not_eligible",
] as const;

export const checkoutView = Type.Object({
  id: Uuid,
  status: OneOf(sessionStatuses),
  step: OneOf(steps),
  environment,
  merchantName: Type.String(),
  merchantLogo: Nullable(Type.String()),
  orderReference: Type.String(),
  amount: NairaNumber,
  items: Type.Array(Type.Object({ name: Type.String(), quantity: Type.Integer(), amount: NairaNumber })),
  currency: OneOf(["NGN"]),
  /** Null until the code was right, like the card: a page is opened by a link, and a link can be anybody's. */
  customer: Nullable(Type.Object({ firstName: Type.String(), phone: Type.String() })),
  eligibility: Type.Object({
    eligible: Type.Boolean(),
    reasons: Type.Array(reason),
    minAmount: NairaNumber,
    maxAmount: NairaNumber,
  }),
  offers: Type.Array(offer),
  loan: Nullable(loan),
  disclosure,
  agreement: Nullable(agreement),
  consent: Nullable(sentCode),
  card: Nullable(shownCard),
  returnUrl: Type.String(),
  expiresAt: Timestamp,
  now: Timestamp,
});

export type CheckoutView = Static<typeof checkoutView>;

export const termsBody = Type.Object({ tenor: Type.Integer({ minimum: 1, maximum: 999 }) });

/** The box is ticked, for the text that the hash stands for. */
export const agreeBody = Type.Object({
  agreed: Type.Literal(true),
  termsHash: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});
