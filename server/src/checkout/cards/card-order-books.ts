import type { OrderBook } from "../../platform/records/order-book.ts";

/** Charges and refunds, to be held against a processor's lists. What cards have paid stands there as owed to us. */
export const cardOrderBooks: readonly OrderBook[] = [
  {
    kind: "charge",
    type: "card_charge",
    port: "card",
    lookup: "list_orders_of_card_charges",
    booked: { account: "card_settlement", sign: -1n },
  },
  {
    kind: "refund",
    type: "card_refund",
    port: "card",
    lookup: "list_orders_of_card_refunds",
    booked: { account: "card_settlement", sign: 1n },
  },
];
