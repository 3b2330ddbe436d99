/** All that the hosted card page shows at the moment. */
import { readProfile } from "../../merchants/profile.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { CardRails } from "../../rails/desk.ts";
import { type CardLink, shownStatus } from "../cards/card-link.ts";
import { findCard } from "../cards/card-store.ts";
import { readCardLink, readTokenizePath } from "../cards/create-card-link.ts";
import { showCard } from "../cards/show-card.ts";
import { withOutcome } from "../pages/return-address.ts";
import { planAddress } from "../plans/make-plan-page.ts";
import { findPageIdByCardLink } from "../plans/plan-page-store.ts";
import { type Addressing, sessionAddress } from "../sessions/read-session.ts";
import { findSessionIdByCardLink } from "../sessions/session-store.ts";
import type { CardLinkView } from "./schemas.ts";

export interface CardViewDependencies extends Addressing {
  readonly rails: CardRails;
}

export async function readCardLinkView(tx: Tx, deps: CardViewDependencies, linkId: string): Promise<CardLinkView> {
  const link = await readCardLink(tx, linkId);
  const { kind } = tx.environment;
  const { displayName: merchantName, logoPath: merchantLogo } = await readProfile(tx);
  const now = tx.environment.clock.now();
  const status = shownStatus(link, now);
  return {
    linkId: link.id,
    status,
    environment: kind,
    merchantName,
    merchantLogo,
    tokenizePath: await readTokenizePath(tx, deps, link),
    expiresAt: link.expiresAt.toISOString(),
    now: now.toISOString(),
    card: link.cardId === null ? null : showCard(await findCard(tx, link.cardId)),
    reason: status === "declined" ? link.failure : null,
    returnUrl: await returnUrlOf(tx, deps, link, status),
  };
}

/** Back to the checkout or the plan that led here, or to the merchant's own address. */
async function returnUrlOf(
  tx: Tx,
  deps: CardViewDependencies,
  { id, callbackUrl }: CardLink,
  status: CardLinkView["status"],
): Promise<string | null> {
  const sessionId = await findSessionIdByCardLink(tx, id);
  if (sessionId !== undefined) return sessionAddress(tx, deps, sessionId);
  const planPageId = await findPageIdByCardLink(tx, id);
  if (planPageId !== undefined) return planAddress(tx, deps, planPageId);
  return callbackUrl === null ? null : withOutcome(callbackUrl, { link_id: id, status });
}
