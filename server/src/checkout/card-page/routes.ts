/** What the hosted card page calls. The card's number goes to the vault and never comes here. */

import { type Static, Type } from "typebox";
import { readProfile } from "../../merchants/profile.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { Nullable, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import type { CardRails } from "../../rails/desk.ts";
import { type CardLink, shownStatus } from "../cards/card-link.ts";
import { findCard } from "../cards/card-store.ts";
import { completeCardLink } from "../cards/complete-card-link.ts";
import { readCardLink, readTokenizePath } from "../cards/create-card-link.ts";
import { type LinkDependencies, pursueLinks } from "../cards/link-order.ts";
import { showCard } from "../cards/show-card.ts";
import { startCardLink } from "../cards/start-card-link.ts";
import { inPageWords } from "../pages/page-words.ts";
import { withOutcome } from "../pages/return-address.ts";
import { environment, reason, shownCard } from "../pages/schemas.ts";
import { planAddress } from "../plans/make-plan-page.ts";
import { findPageIdByCardLink } from "../plans/plan-page-store.ts";
import { type Addressing, sessionAddress } from "../sessions/read-session.ts";
import { findSessionIdByCardLink } from "../sessions/session-store.ts";

export interface CardPageDependencies extends Addressing, LinkDependencies {
  readonly db: Database;
  readonly rails: CardRails;
}

const page = "card-link" as const;

const unusable = [
  "card_link_expired",
  "card_link_stale",
  "card_link_exhausted",
  "card_link_in_progress",
  "card_link_used",
] as const;

export function cardPageRoutes(deps: CardPageDependencies): Route[] {
  return [readRoute(deps), cardRoute(deps), startRoute(deps), askRoute(deps)];
}

function readRoute(deps: CardPageDependencies): Route {
  return describeRoute("page", {
    method: "GET",
    path: "/hosted/card-link",
    page,
    summary: "Read the card link",
    description: "Also when it can no longer be used: the page then says why.",
    reply: { status: 200, message: "Card link retrieved.", data: cardLinkView },
    handle: ({ page: { pageId }, read }) => read(async (tx) => ({ data: await readCardLinkView(tx, deps, pageId) })),
  });
}

function cardRoute(deps: CardPageDependencies): Route {
  return describeRoute("page", {
    method: "POST",
    path: "/hosted/card-link/card",
    page,
    summary: "Link the card",
    description:
      "Takes the vault's token for the card. Returns the link as it is then: linked, declined or processing.",
    body: cardBody,
    reply: { status: 200, message: "Card taken.", data: cardLinkView },
    problems: [...unusable, "rail_not_configured"],
    handle: (request) =>
      inPageWords(async () => {
        const kept = await request.kept<CardLinkView>();
        if (kept !== undefined) return kept;
        const { environmentId, pageId: linkId } = request.page;
        await completeCardLink(deps, { environmentId, linkId, cardToken: request.body.cardToken });
        // A write, though it only reads: in a sandbox that stands still it has what follows the card done at once.
        return request.write(async (tx) => ({ data: await readCardLinkView(tx, deps, linkId) }));
      }),
  });
}

function startRoute(deps: CardPageDependencies): Route {
  return describeRoute("page", {
    method: "POST",
    path: "/hosted/card-link/start",
    page,
    summary: "Go to the bank's page",
    description:
      "Where the card is typed in on the processor's own page. The same link leads to the same page until a card is typed in there.",
    reply: { status: 200, message: "The bank's page is open.", data: startedView },
    problems: [...unusable, "card_link_has_no_page", "rail_not_configured"],
    handle: (request) =>
      inPageWords(async () => {
        const kept = await request.kept<StartedView>();
        if (kept !== undefined) return kept;
        const { environmentId, pageId: linkId } = request.page;
        const url = await startCardLink(deps, { environmentId, linkId });
        return request.write(async () => ({ data: { url } }));
      }),
  });
}

function askRoute(deps: CardPageDependencies): Route {
  return describeRoute("page", {
    method: "POST",
    path: "/hosted/card-link/ask",
    page,
    summary: "Ask about the card",
    description: "For a customer who comes back from the bank's page: the processor is asked at once.",
    reply: { status: 200, message: "Card link retrieved.", data: cardLinkView },
    handle: async (request) => {
      const kept = await request.kept<CardLinkView>();
      if (kept !== undefined) return kept;
      const { environmentId, pageId: linkId } = request.page;
      await pursueLinks(deps).takeUp({ environmentId, id: linkId });
      return request.write(async (tx) => ({ data: await readCardLinkView(tx, deps, linkId) }));
    },
  });
}

/** All that the hosted card page shows at the moment. */
interface CardViewDependencies extends Addressing {
  readonly rails: CardRails;
}

async function readCardLinkView(tx: Tx, deps: CardViewDependencies, linkId: string): Promise<CardLinkView> {
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

/** What the hosted card page shows and sends. */
const cardLinkView = Type.Object({
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
const startedView = Type.Object({ url: Nullable(Type.String()) });
type StartedView = Static<typeof startedView>;

/** From the vault. A card's number never comes here. */
const cardBody = Type.Object({ cardToken: Type.String({ minLength: 1, maxLength: 500 }) });
