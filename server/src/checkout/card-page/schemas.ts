/** What the hosted card page shows and sends. */
import { type Static, Type } from "typebox";
import { Nullable, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { environment, reason, shownCard } from "../pages/schemas.ts";

export const cardLinkView = Type.Object({
  linkId: Uuid,
  status: OneOf(["pending", "processing", "linked", "declined", "expired", "stale"]),
  environment,
  merchantName: Type.String(),
  merchantLogo: Nullable(Type.String()),
  /** Null where the processor has a page of its own. */
  tokenizePath: Nullable(Type.String()),
  expiresAt: Timestamp,
  now: Timestamp,
  card: Nullable(shownCard),
  reason: Nullable(reason),
  returnUrl: Nullable(Type.String()),
});

export type CardLinkView = Static<typeof cardLinkView>;

/** Where to go. Null when the bank refused: the link says why. */
export const startedView = Type.Object({ url: Nullable(Type.String()) });
export type StartedView = Static<typeof startedView>;

/** From the vault. A card's number never comes here. */
export const cardBody = Type.Object({ cardToken: Type.String({ minLength: 1, maxLength: 500 }) });
