/** What the hosted pages show and send. */

import { type Static, Type } from "typebox";
import { environmentKinds } from "../../platform/database/database.ts";
import { NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { cardBrands } from "../../rails/card.ts";
import { sessionStatuses } from "./checkout-session.ts";

export const environment = OneOf(environmentKinds);

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

export const shownCard = Type.Object({
  brand: OneOf(cardBrands),
  last4: Type.String(),
  expMonth: Type.Integer(),
  expYear: Type.Integer(),
});

export type ShownCard = Static<typeof shownCard>;

const reason = Type.Object({ code: Type.String(), message: Type.String() });

export const sentCode = Type.Object({
  sentAt: Timestamp,
  expiresAt: Timestamp,
  resendAt: Timestamp,
  attemptsRemaining: Type.Integer(),
});

/** What the law wants said before the deal, besides the figures of a plan. */
export const disclosure = Type.Object({
  lender: Type.Object({ name: Type.String(), registration: Type.String(), isSample: Type.Boolean() }),
  lateFee: Type.String(),
  conditions: Type.Array(Type.String()),
  complaints: Type.String(),
});

export type Disclosure = Static<typeof disclosure>;

/** What the customer ticks; the hash stands for all of the terms. */
const agreement = Type.Object({ version: Type.String(), statement: Type.String(), termsHash: Type.String() });

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

/** Also what cannot be a code is a try: the page must not learn more from one refusal than from another. */
export const otpBody = Type.Object({ otp: Type.String({ minLength: 1, maxLength: 20 }) });

export const linkAddress = Type.Object({ url: Type.String() });

export const cardLinkView = Type.Object({
  linkId: Uuid,
  status: OneOf(["pending", "processing", "linked", "declined", "expired", "stale"]),
  environment,
  merchantName: Type.String(),
  merchantLogo: Nullable(Type.String()),
  tokenizePath: Type.String(),
  expiresAt: Timestamp,
  now: Timestamp,
  card: Nullable(shownCard),
  reason: Nullable(reason),
  returnUrl: Nullable(Type.String()),
});

export type CardLinkView = Static<typeof cardLinkView>;

/** From the vault; a card's number has no business here. */
export const cardBody = Type.Object({ cardToken: Type.String({ minLength: 1, maxLength: 500 }) });
