import { Type } from "typebox";
import { drawStates } from "../../src/platform/http/openapi/states.ts";
import type { Slice } from "../../src/platform/slice-description.ts";
import { idleOrders } from "../../src/rails/orders.ts";
import { takeUpTask } from "../../src/rails/pursue-order.ts";
import { giftCardProblems } from "./errors.ts";
import { giftCardTransitions, settlementAccount } from "./gift-card.ts";
import { type IssueDependencies, pursueGiftCards } from "./gift-card-order.ts";
import { sealedCode, searchedGiftCards } from "./gift-card-store.ts";
import { issueTask } from "./move-money.ts";
import { type GiftCardRouteDependencies, giftCardRoutes } from "./routes.ts";
import { giftCardEvents } from "./schemas.ts";
import type { GiftVendor } from "./vendor.ts";
import { giftCardBooks } from "./verify-gift-cards.ts";

/** A real slice is a constant, and finds its rail in what it is given; a test brings the vendor. */
export function giftCardSlice(vendor: GiftVendor): Slice<GiftCardRouteDependencies, IssueDependencies> {
  return {
    sections: [
      {
        name: "Gift cards",
        description: ["Gift cards for customers.", drawStates("a gift card", giftCardTransitions)].join("\n\n"),
      },
    ],
    scopes: ["gift_cards"],
    problems: giftCardProblems,
    events: giftCardEvents,
    sealedColumns: [sealedCode],
    systemAccounts: { [settlementAccount]: "What the vendor of gift cards has taken from us." },
    queues: { gift_cards: { says: "Gift cards that the vendor has not issued yet", slowSeconds: 60 } },
    decisions: ["gift_card"],
    searched: [searchedGiftCards],
    owedKinds: [
      {
        type: "gift_card",
        noun: "gift cards",
        gauge: "jara_unknown_gift_cards",
        clocks: [],
        fields: { brand: Type.String({ description: "Gift cards." }) },
        detail: (column) => ({ brand: column("brand") }),
      },
    ],
    taskKinds: [issueTask],
    sweepSources: [idleOrders("gift_card", "waiting", issueTask), idleOrders("gift_card", "sent", issueTask)],
    payments: [giftCardBooks],
    routes: giftCardRoutes,
    tasks: (needs) => [[issueTask, takeUpTask(pursueGiftCards(needs, vendor))]],
  };
}
