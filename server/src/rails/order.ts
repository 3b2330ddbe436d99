/**
 * An order to a rail: a payout, a bill, a charge of a card, a message. It may be killed at any line:
 *
 *   pending ──▶ processing (committed) ──▶ send ──▶ definite answer: the domain ends it
 *                                            └────▶ no answer: asked about by the agenda, under the same id
 *
 * Only the caller that committed the step to `processing` sends at once. Everybody else asks first. If the rail has no
 * record of the order, and it recognises our ids, and the settle window has passed, the order is sent again under the
 * same id; otherwise it waits, in the end for an operator. Unknown is not failed: an order is asked about at growing
 * distances for as long as it takes.
 *
 * A domain describes its orders with an `OrderKind`; `pursue-order.ts` is the only code that follows the drawing.
 */
import type { EnvironmentKind, Tx } from "../platform/database/database.ts";
import type { NoRecord, Unknown } from "./answer.ts";

export interface OrderKey {
  readonly environmentId: string;
  readonly kind: EnvironmentKind;
  readonly id: string;
}

export interface OpenOrder<Order> {
  readonly order: Order;
  readonly status: "pending" | "processing";
  /** Since it was first sent, in the environment's time. */
  readonly sentForMs: number;
}

/** The record as an order; undefined when it has ended. */
export function openOrder<Order extends { readonly status: string }>(
  tx: Tx,
  order: Order,
  sentAt: Date | null,
): OpenOrder<Order> | undefined {
  const { status } = order;
  if (status !== "pending" && status !== "processing") return undefined;
  const sentForMs = sentAt === null ? 0 : tx.environment.clock.now().getTime() - sentAt.getTime();
  return { order, status, sentForMs };
}

/** Orders that a worker claims from their own table. */
export interface WaitingOrders {
  readonly table: "transfers" | "bills";
  /** Brings a waiting order to its first sending where the agenda does that. */
  readonly task: string;
}

export interface Resend {
  readonly recognised: boolean;
  readonly afterMs: number;
}

/** How a domain's orders are sent, asked about and ended. `Answer` is what settles the matter, one way or the other. */
export interface OrderKind<Order extends { readonly id: string }, Answer extends { readonly outcome: string }> {
  /** As it is called in the log: "transfer". */
  readonly noun: string;
  /** Who owes the answer: "the bank". */
  readonly rail: string;
  /** The task that asks again. */
  readonly task: string;
  /** An order that has not ended, as it is now. */
  find(tx: Tx, id: string): Promise<OpenOrder<Order> | undefined>;
  /**
   * Commits the step to `processing`. Null when there is nothing to send: it was ended, put off or taken by another.
   * Orders that are written as `processing` have no such step.
   */
  start?(key: OrderKey, order: Order): Promise<Order | null>;
  send(key: OrderKey, order: Order): Promise<Answer | Unknown>;
  /** For a rail that takes a second order under an id for the same one, this may be `send`. */
  query(key: OrderKey, order: Order): Promise<Answer | Unknown | NoRecord>;
  /** Whether an order that the rail has no record of may be sent again, and how long after it was first sent. */
  resend(key: OrderKey, order: Order): Promise<Resend>;
  /** Notes that the rail was asked. How often by now, by id; without those that have ended meanwhile. */
  countQueries(tx: Tx, orders: readonly Order[]): Promise<ReadonlyMap<string, number>>;
  /** Does `askAgain` for many orders of an environment in one transaction, where there are many at a time. */
  askTogether?(environmentId: string, order: Order): Promise<number>;
  /** Takes a definite answer. False when our side cannot take it now: the order is asked about again. */
  end(key: OrderKey, order: Order, answer: Answer): Promise<boolean>;
}

/**
 * For a rail that knows each order by its id and gives it one answer, however often it is sent: to ask about one is
 * to send it again.
 */
export function askedBySending<Order extends { readonly id: string }, Answer extends { readonly outcome: string }>(
  send: OrderKind<Order, Answer>["send"],
): Pick<OrderKind<Order, Answer>, "send" | "query" | "resend"> {
  return { send, query: send, resend: async () => ({ recognised: true, afterMs: 0 }) };
}
