/**
 * Asking about an order because somebody hinted at it: a provider's webhook, a reconciliation. Nothing that the hint
 * says is believed; the rail's answer to our own question decides, also about an order that we hold for done.
 */
import { type Database, readEnvironment, type Tx } from "../platform/database/database.ts";
import type { TakenBack } from "./answer.ts";
import type { OrderKey } from "./order.ts";
import { findOrderOfConnection, type NamedOrder } from "./orders.ts";
import type { Port } from "./provider.ts";
import type { OrderName } from "./pursue-order.ts";

/** What became of a hint. */
export type HintOutcome =
  /** No order of ours has this id on this connection. */
  | "not_ours"
  /** The order was open: it was asked about and goes its way. Of money that came in: it was booked. */
  | "asked"
  /** The rail says the same as our books. */
  | "agrees"
  /** The rail took back what we held for done, and so did we. */
  | "taken_back"
  /** The rail took a charge back, and the lender has too little money to follow yet: it is tried again until it has. */
  | "lender_short"
  /** The rail says otherwise than our books, and only people can tell why. */
  | "disagrees"
  /** The order is over for us, and the rail gave no clear answer: whether it was taken back has to be asked again. */
  | "unanswered";

/** For each port, the domain that has orders there asks about the one that a provider of this connection named. */
export type HintTakers = Partial<
  Readonly<Record<Port, (connectionId: string, orderId: string) => Promise<HintOutcome>>>
>;

export interface AskedOrder<Order extends { readonly status: string }> {
  find(): Promise<Order | undefined>;
  /** Takes an open order as far as it gets. */
  takeUp(): Promise<unknown>;
  query(order: Order): Promise<{ readonly outcome: string } | TakenBack>;
  /** The state in which the rail has done what was ordered. */
  readonly done: Order["status"];
  takeBack(order: Order): Promise<unknown>;
}

export async function askAboutOrder<Order extends { readonly status: string }>(
  asked: AskedOrder<Order>,
): Promise<HintOutcome> {
  const order = await asked.find();
  if (order === undefined) return "not_ours";
  if (order.status === "pending" || order.status === "processing") {
    await asked.takeUp();
    return "asked";
  }
  const { outcome } = await asked.query(order);
  if (outcome === "unknown") return "unanswered";
  if (order.status !== asked.done) return outcome === "success" ? "disagrees" : "agrees";
  if (outcome === "taken_back") {
    await asked.takeBack(order);
    return "taken_back";
  }
  return outcome === "failure" ? "disagrees" : "agrees";
}

/** How a slice asks about an order that a provider named. */
export interface NamedKind<Order extends { readonly status: string }> {
  /** As its view is called: `orders_of_<kind>`. */
  readonly kind: string;
  find(tx: Tx, id: string): Promise<Order | undefined>;
  takeUp(name: OrderName): Promise<unknown>;
  query(key: OrderKey, order: Order): Promise<{ readonly outcome: string } | TakenBack>;
  readonly done: Order["status"];
  takeBack(name: OrderName): Promise<unknown>;
}

/** The same for an order that a provider names on its own connection. */
export async function askAboutNamed<Order extends { readonly status: string }>(
  db: Database,
  named: NamedOrder,
  { kind, find, takeUp, query, done, takeBack }: NamedKind<Order>,
): Promise<HintOutcome> {
  const place = await findOrderOfConnection(db, kind, named);
  if (place === undefined) return "not_ours";
  const { environmentId, id } = place;
  return askAboutOrder<Order>({
    find: () => readEnvironment(db, environmentId, (tx) => find(tx, id)),
    takeUp: () => takeUp(place),
    query: async (order) => {
      const environment = await readEnvironment(db, environmentId, async (tx) => tx.environment.kind);
      return query({ environmentId, kind: environment, id }, order);
    },
    done,
    takeBack: () => takeBack(place),
  });
}
