import { acceptRequest } from "../../src/ledger/accept-request.ts";
import type { GroupCommit } from "../../src/ledger/group-commit.ts";
import { submitOnce } from "../../src/ledger/submit-once.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { describeRoute, type Route } from "../../src/platform/http/route.ts";
import { IdParams, readNaira } from "../../src/platform/http/wire.ts";
import { mainWalletId } from "../../src/wallets/wallet.ts";
import { giftCardProblem } from "./errors.ts";
import type { GiftCard } from "./gift-card.ts";
import { findGiftCard } from "./gift-card-store.ts";
import { acceptGiftCard } from "./move-money.ts";
import { buyBody, giftCardData, presentGiftCard } from "./schemas.ts";

export interface GiftCardRouteDependencies {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
}

const tag = "Gift cards";
const brands = ["jumia", "shoprite"];

export function giftCardRoutes(deps: GiftCardRouteDependencies): Route[] {
  return [buyRoute(deps), readRoute()];
}

function buyRoute(deps: GiftCardRouteDependencies): Route {
  return describeRoute("key", {
    method: "POST",
    path: "/gift-cards",
    operationId: "createGiftCard",
    tag,
    scope: "gift_cards:write",
    summary: "Buy a gift card",
    description: "Takes the price from the wallet. `gift_card.delivered` or `gift_card.failed` follows.",
    body: buyBody,
    reply: {
      status: 201,
      message: "Gift card accepted.",
      data: giftCardData,
      also: { 200: "This reference was accepted before; here is its gift card." },
    },
    problems: ["unknown_brand", "reference_conflict", "insufficient_funds", "ledger_busy"],
    handle: async (request) => {
      const { environmentId } = request.caller;
      const { brand, reference } = request.body;
      if (!brands.includes(brand)) throw giftCardProblem("unknown_brand");
      const amount = readNaira(request.body.amount);
      const input = { reference, brand, amount, sourceAccountId: mainWalletId(environmentId) };
      const differing = (earlier: GiftCard) =>
        (["brand", "amount"] as const).filter((field) => earlier[field] !== input[field]);
      return acceptRequest(request, {
        accept: (keep) =>
          submitOnce(deps, acceptGiftCard, { environmentId, input, keep, find: findGiftCard, differing }),
        present: presentGiftCard,
      });
    },
  });
}

function readRoute(): Route {
  return describeRoute("key", {
    method: "GET",
    path: "/gift-cards/{id}",
    operationId: "getGiftCard",
    tag,
    scope: "gift_cards:read",
    summary: "Read a gift card",
    description: "The gift card as it is now.",
    params: IdParams,
    reply: { status: 200, message: "Gift card retrieved.", data: giftCardData },
    problems: ["gift_card_not_found"],
    handle: ({ params, read }) =>
      read(async (tx) => {
        const card = await findGiftCard(tx, params.id);
        if (card === undefined) throw giftCardProblem("gift_card_not_found");
        return { data: presentGiftCard(card) };
      }),
  });
}
