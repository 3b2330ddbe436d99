/** What the hosted card page calls. The card's number goes to the vault and never comes here. */
import type { Database } from "../../platform/database/database.ts";
import { pageRoute, type Route } from "../../platform/http/route.ts";
import type { CardRails } from "../../rails/desk.ts";
import { completeCardLink } from "../cards/complete-card-link.ts";
import { type LinkDependencies, pursueLinks } from "../cards/link-order.ts";
import { startCardLink } from "../cards/start-card-link.ts";
import { inPageWords } from "../pages/page-words.ts";
import type { Addressing } from "../sessions/read-session.ts";
import { readCardLinkView } from "./card-link-view.ts";
import { type CardLinkView, cardBody, cardLinkView, type StartedView, startedView } from "./schemas.ts";

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
  return pageRoute({
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
  return pageRoute({
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
  return pageRoute({
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
  return pageRoute({
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
