/** Follows the drawing in `order.ts`, for every kind of order. */
import { type Database, inEnvironment, readEnvironment, type Tx } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import { schedule } from "../platform/work/agenda.ts";
import type { TaskKind } from "../platform/work/jobs.ts";
import type { NoRecord, Unknown } from "./answer.ts";
import { delayAfter } from "./ask-again.ts";
import type { OpenOrder, OrderKey, OrderKind } from "./order.ts";

export interface PursueDependencies {
  readonly db: Database;
  readonly log: Logger;
}

export type OrderName = Pick<OrderKey, "environmentId" | "id">;

export interface Pursuit<Order> {
  /** Takes an order as far as it gets: begins a waiting one, asks about one that may have been sent. */
  takeUp(name: OrderName): Promise<void>;
  /** Begins a waiting order. */
  begin(key: OrderKey, order: Order): Promise<void>;
  /** Sends an order whose step to `processing` the caller has just committed. */
  send(key: OrderKey, order: Order): Promise<void>;
  /** The same for an order that the caller knows by its name only. */
  sendCommitted(name: OrderName): Promise<void>;
}

export function pursue<Order extends { readonly id: string }, Answer extends { readonly outcome: string }>(
  deps: PursueDependencies,
  kind: OrderKind<Order, Answer>,
): Pursuit<Order> {
  const send = async (key: OrderKey, order: Order): Promise<void> =>
    conclude(deps, kind, key, order, await kind.send(key, order));

  const begin = async (key: OrderKey, order: Order): Promise<void> => {
    const started = kind.start === undefined ? order : await kind.start(key, order);
    if (started !== null) await send(key, started);
  };

  const ask = async (key: OrderKey, { order, sentForMs }: OpenOrder<Order>): Promise<void> => {
    const answer = await kind.query(key, order);
    if (!isNoRecord(answer)) return conclude(deps, kind, key, order, answer);
    const { recognised, afterMs } = await kind.resend(key, order);
    if (recognised && sentForMs >= afterMs) return send(key, order);
    await askLater(deps, kind, key, order, answer);
  };

  const find = ({ environmentId, id }: OrderName): Promise<{ key: OrderKey; open: OpenOrder<Order> } | undefined> =>
    readEnvironment(deps.db, environmentId, async (tx) => {
      const open = await kind.find(tx, id);
      return open && { key: { environmentId, kind: tx.environment.kind, id }, open };
    });

  return {
    begin,
    send,
    takeUp: async (name) => {
      const found = await find(name);
      if (found?.open.status === "pending") await begin(found.key, found.open.order);
      else if (found?.open.status === "processing") await ask(found.key, found.open);
    },
    sendCommitted: async (name) => {
      const found = await find(name);
      if (found?.open.status === "processing") await send(found.key, found.open.order);
    },
  };
}

/** A task that takes orders as far as they get. Rails are strangers: one that hangs holds up only itself. */
export function takeUpTask<Order>(pursuit: Pursuit<Order>): TaskKind {
  return { pace: "slow", handle: ({ environmentId, subject }) => pursuit.takeUp({ environmentId, id: subject }) };
}

async function conclude<Order extends { readonly id: string }, Answer extends { readonly outcome: string }>(
  deps: PursueDependencies,
  kind: OrderKind<Order, Answer>,
  key: OrderKey,
  order: Order,
  answer: Answer | Unknown,
): Promise<void> {
  if (isUnknown(answer)) return askLater(deps, kind, key, order, answer);
  if (!(await kind.end(key, order, answer))) await askLater(deps, kind, key, order, { outcome: "unknown" });
}

const remarkableQueries = 6;

async function askLater<Order extends { readonly id: string }, Answer extends { readonly outcome: string }>(
  { db, log }: PursueDependencies,
  kind: OrderKind<Order, Answer>,
  { environmentId, id }: OrderKey,
  order: Order,
  answer: Unknown | NoRecord,
): Promise<void> {
  const queries =
    kind.askTogether === undefined
      ? (await inEnvironment(db, environmentId, (tx) => askAgain(tx, kind, [order])))[0]
      : await kind.askTogether(environmentId, order);
  // Told once, when it has become remarkable; the gauge and the operator's list know of it for as long as it lasts.
  const level = queries === remarkableQueries ? "warn" : "debug";
  log[level]({ order: kind.noun, id, answer, queries }, `${kind.rail} owes an answer about a ${kind.noun}`);
}

/** Counts the questions and books the next ones. How often each was asked; 0 for one that has ended meanwhile. */
export async function askAgain<Order extends { readonly id: string }>(
  tx: Tx,
  { task, countQueries }: Pick<OrderKind<Order, never>, "task" | "countQueries">,
  orders: readonly Order[],
): Promise<number[]> {
  const asked = await countQueries(tx, orders);
  const { clock } = tx.environment;
  await schedule(
    tx,
    [...asked].map(([subject, queries]) => ({ kind: task, subject, dueAt: clock.after(delayAfter(queries)) })),
  );
  return orders.map(({ id }) => asked.get(id) ?? 0);
}

function isUnknown(answer: { readonly outcome: string }): answer is Unknown {
  return answer.outcome === "unknown";
}

function isNoRecord(answer: { readonly outcome: string }): answer is NoRecord {
  return answer.outcome === "no_record";
}
