import { Type } from "typebox";
import type { Database, EnvironmentKind, Tx } from "../../platform/database/database.ts";
import { isUuid } from "../../platform/database/ids.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { commonProblem } from "../../platform/problem.ts";
import { schedule } from "../../platform/work/agenda.ts";
import { setDefaultCard } from "../customers/customer-store.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { openStatuses } from "../loans/checkout-loan.ts";
import { readLoansOf } from "../loans/checkout-loan-store.ts";
import { readReturnAddress } from "../pages/return-address.ts";
import { presentCard } from "./card.ts";
import { markRemoved, readCards } from "./card-store.ts";
import { unlinkTask } from "./charge.ts";
import { createCardLink, type LinkDependencies } from "./create-card-link.ts";
import { cardProblem } from "./errors.ts";
import { CardParams, CustomerParams, cardData, linkBody, linkData, removedCard } from "./schemas.ts";

export interface CardRouteDependencies extends LinkDependencies {
  readonly db: Database;
}

const common = { tag: "Checkout" } as const;
const notFound = "checkout_customer_not_found";

export function cardRoutes(deps: CardRouteDependencies): Route[] {
  return [linkRoute(deps), listRoute(), removeRoute()];
}

function linkRoute(deps: CardRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: "/loans/bnpl/customers/{customerId}/cards/link",
    operationId: "linkCard",
    scope: "checkout:write",
    summary: "Link a card",
    description:
      "Makes the address of a hosted page where the customer enters a card, so that no card number passes through you or this API. It can be used for 30 minutes; a new link takes the place of older ones. `customer.card.link.successful` or `customer.card.link.failed` follows; after a refusal another card can be tried on the same page, three in all. A customer gets 10 links a day, and none after 6 refused cards.",
    params: CustomerParams,
    body: linkBody,
    reply: { status: 201, title: "Card link", message: "Card link created", data: linkData },
    problems: [notFound, "card_link_limit_reached", "rail_not_configured"],
    handle: ({ caller, params, body, write }) => {
      const callbackUrl = callbackOf(body.callback_url, caller.kind);
      return write(async (tx) => {
        const { id, url, expiresAt } = await createCardLink(tx, deps, { customerId: params.customerId, callbackUrl });
        return { data: { link_id: id, url, expires_at: expiresAt.toISOString() } };
      });
    },
  });
}

function callbackOf(text: string | undefined, kind: EnvironmentKind): string | null {
  if (text === undefined) return null;
  const verdict = readReturnAddress(text, kind);
  if ("url" in verdict) return verdict.url;
  throw commonProblem("validation_failed", { errors: [{ field: "callback_url", message: verdict.refusal }] });
}

function listRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: "/loans/bnpl/customers/{customerId}/cards",
    operationId: "listCards",
    scope: "checkout:read",
    summary: "List a customer's cards",
    description: "The cards that are linked, newest first. The card linked last is the default.",
    params: CustomerParams,
    reply: { status: 200, title: "Cards", message: "Cards retrieved", data: Type.Array(cardData) },
    problems: [notFound],
    handle: ({ params, read }) =>
      read(async (tx) => {
        const customer = await requireCustomer(tx, params.customerId);
        return { data: (await readCards(tx, customer.id)).map(presentCard) };
      }),
  });
}

function removeRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "DELETE",
    path: "/loans/bnpl/customers/{customerId}/cards/{cardId}",
    operationId: "deleteCard",
    scope: "checkout:write",
    summary: "Remove a card",
    description:
      "The card is not charged any more, and the card network forgets it. The default passes on to the card linked last. The only card of a customer with an unfinished loan stays: link another first.",
    params: CardParams,
    reply: { status: 200, title: "Card", message: "Card removed", data: removedCard },
    problems: [notFound, "card_not_found", "card_in_use"],
    handle: ({ params, write }) =>
      write(async (tx) => {
        await removeCard(tx, params);
        return { data: { id: params.cardId, deleted: true as const } };
      }),
  });
}

/**
 * Takes a card away. The default passes on to the card linked last. Throws card_not_found, or card_in_use when there
 * would be nothing left to charge for a loan that is not finished.
 */
export async function removeCard(
  tx: Tx,
  { customerId, cardId }: { readonly customerId: string; readonly cardId: string },
): Promise<void> {
  // Locks: the customer, so that of two removals at once the second sees that one card is left.
  const customer = await requireCustomer(tx, customerId, { lock: true });
  const cards = await readCards(tx, customer.id);
  const card = isUuid(cardId) ? cards.find(({ id }) => id === cardId.toLowerCase()) : undefined;
  if (card === undefined) throw cardProblem("card_not_found");
  const [next] = cards.filter(({ id }) => id !== card.id);
  if (next === undefined && (await readLoansOf(tx, customer.id, openStatuses)).length > 0) {
    throw cardProblem("card_in_use");
  }
  await markRemoved(tx, card.id);
  if (card.isDefault) await setDefaultCard(tx, customer.id, next?.id ?? null);
  await schedule(tx, [{ kind: unlinkTask, subject: card.id }]);
}
