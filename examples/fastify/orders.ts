/** The shop's orders in SQLite: what is kept, and how an order moves. */
import { DatabaseSync } from "node:sqlite";
import type { EventOf, JaraEvent } from "@jara/sdk";

export interface NewOrder {
  id: string;
  seller: string; // whose account it has to be
  accountNumber: string;
  bankCode: string;
  amount: number; // naira
}

export interface Order extends NewOrder {
  /** `sent` is with the bank. `refused` took no money: mend the reason and place the order again. */
  status: "placed" | "refused" | "sent" | "paid" | "failed" | "reversed";
  reason: string | null;
  accountName: string | null;
}

const db = new DatabaseSync(process.env["ORDERS_FILE"] ?? "orders.db");
db.exec(`
  pragma busy_timeout = 5000;
  create table if not exists orders (
    id text primary key, seller text not null, accountNumber text not null, bankCode text not null,
    amount real not null, status text not null default 'placed', reason text, accountName text,
    version integer not null default 0);
  create table if not exists handledEvents (id text primary key);
  create table if not exists messages (orderId text not null, text text not null);
`);

/** An order that is kept already stays as it was. */
export function keepOrder({ id, seller, accountNumber, bankCode, amount }: NewOrder): Order {
  const insert = "insert or ignore into orders (id, seller, accountNumber, bankCode, amount) values (?, ?, ?, ?, ?)";
  db.prepare(insert).run(id, seller, accountNumber, bankCode, amount);
  return db.prepare("select * from orders where id = ?").get(id) as unknown as Order;
}

export function findOrder(id: string): (Order & { messages: unknown[] }) | undefined {
  const order = db.prepare("select * from orders where id = ?").get(id) as unknown as Order | undefined;
  return order && { ...order, messages: db.prepare("select text from messages where orderId = ?").all(id) };
}

export const listPlaced = () => db.prepare("select * from orders where status = 'placed'").all() as unknown as Order[];

/** The webhook may be faster than the reply to the payout; then the order has moved on already. */
export function moveUnsent(id: string, status: Order["status"], more: Partial<Order>): void {
  const update = "update orders set status = ?, reason = ?, accountName = ? where id = ?";
  const values = [status, more.reason ?? null, more.accountName ?? null, id];
  db.prepare(`${update} and status in ('placed', 'refused')`).run(...values);
}

const outcomes = {
  "transfer.completed": "paid",
  "transfer.failed": "failed",
  "transfer.reversed": "reversed",
} as const;
const isOutcome = (event: JaraEvent): event is EventOf<keyof typeof outcomes> => event.event in outcomes;

/** Once for each event, in one transaction. An event that is older than what the order knows changes nothing. */
export function handleEvent(event: JaraEvent): void {
  db.exec("begin immediate");
  try {
    const isNew = db.prepare("insert or ignore into handledEvents values (?)").run(event.id).changes === 1;
    if (isNew && isOutcome(event)) moveOrder(event);
    db.exec("commit");
  } catch (error) {
    db.exec("rollback");
    throw error;
  }
}

function moveOrder({ event, data, resourceVersion: version }: EventOf<keyof typeof outcomes>): void {
  const id = data.reference.replace(/^order-/, "");
  const status = outcomes[event];
  const update = "update orders set status = ?, reason = ?, version = ? where id = ? and version < ?";
  const { changes } = db.prepare(update).run(status, data.failureReason?.message ?? null, version, id, version);
  // Mail takes long and Jara waits: write down what to send, and let another program send it.
  if (changes === 1) db.prepare("insert into messages values (?, ?)").run(id, `Your payout is ${status}.`);
}
