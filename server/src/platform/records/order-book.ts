/**
 * Where a slice's orders to providers are listed, over all environments, so that they can be held against a provider's
 * own list and against the ledger.
 */
export interface OrderBook {
  /** What a provider's list calls such an order, in our words: "payout". No two books share one. */
  readonly kind: string;
  /** As operators know the record: "transfer". */
  readonly type: string;
  readonly port: string;
  /** A function of (connection, sent from, sent until, order ids, at most so many). */
  readonly lookup: `list_orders_of_${string}`;
  /** What the ledger has for one that was done: this times its amount, on this system account. */
  readonly booked: { readonly account: string; readonly sign: 1n | -1n };
}
