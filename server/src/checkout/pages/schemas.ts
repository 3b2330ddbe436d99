/** What more than one hosted page shows and sends. */
import { type Static, Type } from "typebox";
import { environmentKinds } from "../../platform/database/database.ts";
import { OneOf, Timestamp } from "../../platform/http/wire.ts";
import { cardBrands } from "../../rails/card.ts";

export const environment = OneOf(environmentKinds);

export const shownCard = Type.Object({
  brand: OneOf(cardBrands),
  last4: Type.String(),
  expMonth: Type.Integer(),
  expYear: Type.Integer(),
});

export type ShownCard = Static<typeof shownCard>;

export const reason = Type.Object({ code: Type.String(), message: Type.String() });

export const sentCode = Type.Object({
  sentAt: Timestamp,
  expiresAt: Timestamp,
  resendAt: Timestamp,
  attemptsRemaining: Type.Integer(),
});

export type SentCode = Static<typeof sentCode>;

/** What the law wants said before the deal, besides the figures of a plan. */
export const disclosure = Type.Object({
  lender: Type.Object({ name: Type.String(), registration: Type.String(), isSample: Type.Boolean() }),
  lateFee: Type.String(),
  conditions: Type.Array(Type.String()),
  complaints: Type.String(),
});

export type Disclosure = Static<typeof disclosure>;

/** What the customer ticks; the hash stands for all of the terms. */
export const agreement = Type.Object({ version: Type.String(), statement: Type.String(), termsHash: Type.String() });

export type Agreement = Static<typeof agreement>;

/** Also what cannot be a code is a try: the page must not learn more from one refusal than from another. */
export const otpBody = Type.Object({ otp: Type.String({ minLength: 1, maxLength: 20 }) });

export const linkAddress = Type.Object({ url: Type.String() });
