/** What the hosted pages show and send. */
import { type Static, Type } from "typebox";
import { NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { cardBrands } from "../../rails/card.ts";
import { sessionStatuses } from "./checkout-session.ts";

const environment = OneOf(["SANDBOX", "LIVE"]);

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
  /** Percent a month. */
  interestRate: Type.Number(),
  installmentAmount: NairaNumber,
  totalInterest: NairaNumber,
  totalRepayment: NairaNumber,
  schedule: Type.Array(instalment),
};

const offer = Type.Object(plan);
export type Offer = Static<typeof offer>;

const loan = Type.Object({ id: Uuid, status: Type.String(), ...plan });
export type ShownLoan = Static<typeof loan>;

const card = Type.Object({
  brand: OneOf(cardBrands),
  last4: Type.String(),
  expMonth: Type.Integer(),
  expYear: Type.Integer(),
});

const reason = Type.Object({ code: Type.String(), message: Type.String() });

const sentCode = Type.Object({
  sentAt: Timestamp,
  expiresAt: Timestamp,
  resendAt: Timestamp,
  attemptsRemaining: Type.Integer(),
});

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
  orderReference: Type.String(),
  amount: NairaNumber,
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
  consent: Nullable(sentCode),
  card: Nullable(card),
  returnUrl: Type.String(),
  expiresAt: Timestamp,
  now: Timestamp,
});

export type CheckoutView = Static<typeof checkoutView>;

export const termsBody = Type.Object({ tenor: Type.Integer({ minimum: 1, maximum: 999 }) });

/** Also what cannot be a code is a try: the page must not learn more from one refusal than from another. */
export const otpBody = Type.Object({ otp: Type.String({ minLength: 1, maxLength: 20 }) });

export const linkAddress = Type.Object({ url: Type.String() });

export const cardLinkView = Type.Object({
  linkId: Uuid,
  status: OneOf(["pending", "processing", "linked", "declined", "expired", "stale"]),
  environment,
  merchantName: Type.String(),
  tokenizePath: Type.String(),
  expiresAt: Timestamp,
  now: Timestamp,
  card: Nullable(card),
  reason: Nullable(reason),
  returnUrl: Nullable(Type.String()),
});

export type CardLinkView = Static<typeof cardLinkView>;

/** From the vault; a card's number has no business here. */
export const cardBody = Type.Object({ cardToken: Type.String({ minLength: 1, maxLength: 500 }) });
