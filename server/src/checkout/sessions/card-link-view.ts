/** All that the hosted card page shows at the moment. */
import { findMerchantName } from "../../merchants/find-merchant-name.ts";
import type { Tx } from "../../platform/database/database.ts";
import { type CardRails, cardRailFor } from "../../rails/registry.ts";
import { type CardLink, shownStatus } from "../cards/card-link.ts";
import { findCard } from "../cards/card-store.ts";
import { readCardLink } from "../cards/create-card-link.ts";
import { withOutcome } from "../return-address.ts";
import type { CardLinkView } from "./hosted-schemas.ts";
import { type Addressing, sessionAddress } from "./read-session.ts";
import { findSessionIdByCardLink } from "./session-store.ts";

export interface CardViewDependencies extends Addressing {
  readonly rails: CardRails;
}

export async function readCardLinkView(tx: Tx, deps: CardViewDependencies, linkId: string): Promise<CardLinkView> {
  const link = await readCardLink(tx, linkId);
  const { kind } = tx.environment;
  const now = tx.environment.clock.now();
  const status = shownStatus(link, now);
  return {
    linkId: link.id,
    status,
    environment: kind,
    merchantName: await findMerchantName(tx),
    tokenizePath: cardRailFor(deps.rails, kind).tokenizePath,
    expiresAt: link.expiresAt.toISOString(),
    now: now.toISOString(),
    card: await showCard(tx, link),
    reason: status === "declined" ? link.failure : null,
    returnUrl: await returnUrlOf(tx, deps, link, status),
  };
}

async function showCard(tx: Tx, { cardId }: CardLink): Promise<CardLinkView["card"]> {
  const card = cardId === null ? undefined : await findCard(tx, cardId);
  if (card === undefined) return null;
  const { brand, last4, expMonth, expYear } = card;
  return { brand, last4, expMonth, expYear };
}

/** Back to the checkout that led here, or to the merchant's own address. */
async function returnUrlOf(
  tx: Tx,
  deps: CardViewDependencies,
  { id, callbackUrl }: CardLink,
  status: CardLinkView["status"],
): Promise<string | null> {
  const sessionId = await findSessionIdByCardLink(tx, id);
  if (sessionId !== undefined) return sessionAddress(tx, deps, sessionId);
  return callbackUrl === null ? null : withOutcome(callbackUrl, { link_id: id, status });
}
