/**
 * A kind of orders to providers that is held against a provider's own list and against the ledger.
 */
export interface OrderBook {
  /** What a provider's list calls such an order, in our words: "payout". No two books share one. */
  readonly kind: string;
  /** As operators know the record: "transfer". The view `orders_of_transfer` has them. */
  readonly type: string;
  readonly port: string;
  /** What the ledger has for one that was done: this times its amount, on this system account. */
  readonly booked: { readonly account: string; readonly sign: 1n | -1n };
}
