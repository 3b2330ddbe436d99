/** Follows the drawing in `order.ts`, for every kind of order. */
import { type Database, inEnvironment, readEnvironment, type Tx } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import { tracing } from "../platform/tracing.ts";
import { type Booking, bookAll, bookingOf } from "../platform/work/agenda.ts";
import type { LookedUp, Task, TaskKind } from "../platform/work/jobs.ts";
import type { NoRecord, Unknown } from "./answer.ts";
import type { OpenOrder, OrderKey, OrderKind } from "./order.ts";

export interface PursueDependencies {
  readonly db: Database;
  readonly log: Logger;
}

export type OrderName = Pick<OrderKey, "environmentId" | "id">;

export interface Pursuit<Order> {
  /** Takes an order as far as it gets: begins a waiting one, asks about one that may have been sent. */
  takeUp(name: OrderName): Promise<void>;
  /** The same for many orders of one moment, one after another; those that stay owed share a transaction. */
  lookUp(tx: Tx, tasks: readonly Task[]): Promise<LookedUp>;
  /** Begins a waiting order. */
  begin(key: OrderKey, order: Order): Promise<void>;
  /** Sends an order whose step to `processing` the caller has just committed. */
  send(key: OrderKey, order: Order): Promise<void>;
  /** The same for an order that the caller knows by its name only. */
  sendCommitted(name: OrderName): Promise<void>;
}

interface Found<Order> {
  readonly key: OrderKey;
  readonly open: OpenOrder<Order>;
}

/** What the rail said that settles nothing. */
type Owed = Unknown | NoRecord;

/** What is to be done with an order now, or what the rail said about one that has to wait. */
type Decide<Order> = (found: Found<Order>) => Promise<(() => Promise<void>) | Owed>;

export function pursue<Order extends { readonly id: string }, Answer extends { readonly outcome: string }>(
  deps: PursueDependencies,
  kind: OrderKind<Order, Answer>,
): Pursuit<Order> {
  const send = async (key: OrderKey, order: Order): Promise<void> =>
    conclude(deps, kind, key, order, await callRail(kind, "send", key, order));

  const begin = async (key: OrderKey, order: Order): Promise<void> => {
    const started = kind.start === undefined ? order : await kind.start(key, order);
    if (started !== null) await send(key, started);
  };

  const decide: Decide<Order> = async ({ key, open: { order, status, sentForMs } }) => {
    if (status === "pending") return () => begin(key, order);
    const answer = await callRail(kind, "query", key, order);
    if (isUnknown(answer)) return answer;
    if (!isNoRecord(answer)) return () => conclude(deps, kind, key, order, answer);
    const { recognised, afterMs } = await kind.resend(key, order);
    return recognised && sentForMs >= afterMs ? () => send(key, order) : answer;
  };

  const find = ({ environmentId, id }: OrderName): Promise<Found<Order> | undefined> =>
    readEnvironment(deps.db, environmentId, (tx) => findIn(tx, kind, id));

  return {
    begin,
    send,
    takeUp: async (name) => {
      const found = await find(name);
      if (found === undefined) return;
      const next = await decide(found);
      await (typeof next === "function" ? next() : askLater(deps, kind, found.key, found.open.order, next));
    },
    lookUp: async (tx, tasks) => {
      const found = new Map<string, Found<Order>>();
      for (const { subject } of tasks) {
        const one = await findIn(tx, kind, subject);
        if (one !== undefined) found.set(subject, one);
      }
      return oneByOne(deps, kind, found, decide);
    },
    sendCommitted: async (name) => {
      const found = await find(name);
      if (found?.open.status === "processing") await send(found.key, found.open.order);
    },
  };
}

/** Sends an order to its rail, or asks about one. */
async function callRail<Order, Step extends "send" | "query", Answer extends { readonly outcome: string }>(
  kind: { readonly noun: string } & { readonly [step in Step]: (key: OrderKey, order: Order) => Promise<Answer> },
  step: Step,
  key: OrderKey,
  order: Order,
): Promise<Answer> {
  const span = tracing()?.begin({
    name: `rail ${step} ${kind.noun}`,
    kind: "client",
    recordId: key.id,
    environmentId: key.environmentId,
  });
  try {
    const answer = await kind[step](key, order);
    span?.end({ "jara.outcome": answer.outcome });
    return answer;
  } catch (error) {
    span?.end({}, error);
    throw error;
  }
}

async function findIn<Order extends { readonly id: string }>(
  tx: Tx,
  kind: Pick<OrderKind<Order, never>, "find">,
  id: string,
): Promise<Found<Order> | undefined> {
  const open = await kind.find(tx, id);
  return open && { key: { environmentId: tx.environment.id, kind: tx.environment.kind, id }, open };
}

/** A task that takes orders as far as they get. Rails are strangers: one that hangs holds up only itself. */
export function takeUpTask<Order>(pursuit: Pursuit<Order>): TaskKind {
  return {
    pace: "slow",
    handle: ({ environmentId, subject }) => pursuit.takeUp({ environmentId, id: subject }),
    lookUp: pursuit.lookUp,
  };
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

type Asking<Order extends { readonly id: string }> = Pick<
  OrderKind<Order, never>,
  "noun" | "rail" | "task" | "countQueries" | "askTogether"
>;

async function askLater<Order extends { readonly id: string }>(
  { db, log }: PursueDependencies,
  kind: Asking<Order>,
  { environmentId, id }: OrderKey,
  order: Order,
  answer: Owed,
): Promise<void> {
  const queries =
    kind.askTogether === undefined
      ? (await inEnvironment(db, environmentId, (tx) => askAgain(tx, kind, [order])))[0]
      : await kind.askTogether(environmentId, order);
  tellOwed(log, kind, { id, answer, queries });
}

/** Orders that were found together, each to be taken further in its turn. */
function oneByOne<Order extends { readonly id: string }>(
  { log }: PursueDependencies,
  kind: Asking<Order>,
  found: ReadonlyMap<string, Found<Order>>,
  decide: Decide<Order>,
): LookedUp {
  const owed = new Map<string, Owed>();
  return {
    ask: async ({ subject }) => {
      const one = found.get(subject);
      const next = one && (await decide(one));
      if (typeof next === "function") return next;
      if (next !== undefined) owed.set(subject, next);
      return undefined;
    },
    handleTogether: async (tx, tasks) => {
      const open = tasks.flatMap(({ subject, within }) => {
        const [one, answer] = [found.get(subject), owed.get(subject)];
        return one === undefined || answer === undefined ? [] : [{ order: one.open.order, answer, within }];
      });
      if (open.length === 0) return;
      const withins = new Map(open.map(({ order, within }) => [order, within]));
      const queries = await askAgain(
        tx,
        kind,
        open.map(({ order }) => order),
        (order, draw) => withins.get(order)?.(draw) ?? draw(),
      );
      for (const [at, { order, answer }] of open.entries()) {
        tellOwed(log, kind, { id: order.id, answer, queries: queries[at] });
      }
    },
  };
}

const remarkableQueries = 6;

/** Told once, when it has become remarkable; the gauge and the operator's list know of it for as long as it lasts. */
function tellOwed(
  log: Logger,
  { noun, rail }: { readonly noun: string; readonly rail: string },
  asked: { readonly id: string; readonly answer: Owed; readonly queries: number | undefined },
): void {
  const level = asked.queries === remarkableQueries ? "warn" : "debug";
  log[level]({ order: noun, ...asked }, `${rail} owes an answer about a ${noun}`);
}

/**
 * Counts the questions and books the next ones, each drawn as `drawAs` says. How often each was asked; 0 for one that
 * has ended meanwhile.
 */
export async function askAgain<Order extends { readonly id: string }>(
  tx: Tx,
  { task, countQueries }: Pick<OrderKind<Order, never>, "task" | "countQueries">,
  orders: readonly Order[],
  drawAs: (order: Order, draw: () => Promise<Booking>) => Promise<Booking> = (_, draw) => draw(),
): Promise<number[]> {
  const asked = await countQueries(tx, orders);
  const bookings: Booking[] = [];
  for (const order of orders) {
    const queries = asked.get(order.id);
    if (queries === undefined) continue;
    const dueAt = tx.environment.clock.after(delayAfter(queries));
    const entry = { kind: task, subject: order.id, dueAt };
    bookings.push(await drawAs(order, async () => bookingOf(tx, entry)));
  }
  await bookAll(tx, bookings);
  return orders.map(({ id }) => asked.get(id) ?? 0);
}

function isUnknown(answer: { readonly outcome: string }): answer is Unknown {
  return answer.outcome === "unknown";
}

function isNoRecord(answer: { readonly outcome: string }): answer is NoRecord {
  return answer.outcome === "no_record";
}

const firstDelayMs = 2_000;
const longestOnTheFirstDayMs = 15 * 60_000;
const longestDelayMs = 60 * 60_000;
/** When so many were asked, a day has gone by. */
const questionsOfADay = 105;

/** How long to wait before asking a rail again about a payment that it was asked about so many times. */
export function delayAfter(queries: number): number {
  const longest = queries < questionsOfADay ? longestOnTheFirstDayMs : longestDelayMs;
  return Math.min(firstDelayMs * 2 ** Math.min(queries - 1, 20), longest);
}
