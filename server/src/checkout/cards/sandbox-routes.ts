/** Linking a card without a browser, in a sandbox. */
import type { Static } from "typebox";
import type { Tx } from "../../platform/database/database.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { shownStatus } from "./card-link.ts";
import { findCard } from "./card-store.ts";
import { completeCardLink } from "./complete-card-link.ts";
import { readCardLink } from "./create-card-link.ts";
import type { LinkDependencies } from "./link-order.ts";
import { type CompletedLink, completeBody, completedLink, LinkParams } from "./schemas.ts";

type CardOutcome = Static<typeof completeBody>["outcome"];

export interface CardSandboxDependencies extends LinkDependencies {
  /** What the vault would give for the test card that plays this outcome. */
  makeCardToken(environmentId: string, outcome: CardOutcome): Promise<string>;
}

export function cardSandboxRoutes(deps: CardSandboxDependencies): Route[] {
  return [completeRoute(deps)];
}

function completeRoute(deps: CardSandboxDependencies): Route {
  return describeRoute("key", {
    method: "POST",
    path: "/sandbox/card-links/{linkId}/complete",
    operationId: "completeCardLink",
    tag: "Sandbox",
    scope: "sandbox:write",
    sandboxOnly: true,
    summary: "Complete a card link",
    description:
      "Does what the customer does on the hosted card page, with the test card for that outcome: the same events follow, and loans that wait for a card go on.",
    params: LinkParams,
    body: completeBody,
    reply: { status: 200, message: "Card link completed.", data: completedLink },
    problems: [
      "card_link_not_found",
      "card_link_used",
      "card_link_expired",
      "card_link_stale",
      "card_link_exhausted",
      "card_link_in_progress",
    ],
    handle: async (request) => {
      const kept = await request.kept<CompletedLink>();
      if (kept !== undefined) return kept;
      const { environmentId } = request.caller;
      const { linkId } = request.params;
      await request.read((tx) => readCardLink(tx, linkId));
      const cardToken = await deps.makeCardToken(environmentId, request.body.outcome);
      await completeCardLink(deps, { environmentId, linkId, cardToken });
      return request.write(async (tx) => ({ data: await present(tx, linkId) }));
    },
  });
}

async function present(tx: Tx, linkId: string): Promise<CompletedLink> {
  const link = await readCardLink(tx, linkId);
  const card = link.cardId === null ? undefined : await findCard(tx, link.cardId);
  return {
    linkId: link.id,
    customerId: link.customerId,
    status: shownStatus(link, tx.environment.clock.now()),
    card: card === undefined ? null : { ...card },
    reason: link.failure,
  };
}
