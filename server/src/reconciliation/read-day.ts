/** Reads the sides of a day. No transaction is open while the provider is asked. */
import { type Database, operatorScope, readEnvironment, type Tx, timeIn } from "../platform/database/database.ts";
import type { OrderBook } from "../platform/records/order-book.ts";
import type { ProviderBooks, ProviderRecord, RecordKind, RecordPeriod } from "../rails/provider.ts";
import { type Matched, matchSides } from "./compare-day.ts";
import { findTracedOrders, readOrders } from "./order-store.ts";
import type { OurOrder } from "./reconciliation.ts";
import { mostRows, startGuard, unreadable } from "./run-limits.ts";

export interface DayQuestion {
  readonly connectionId: string;
  readonly period: RecordPeriod;
  /** Of the connection's ports, those that the provider has books of. */
  readonly orderBooks: readonly OrderBook[];
  readonly provider: ProviderBooks;
}

type Listing = Extract<ProviderBooks, { list: unknown }>;
type Asking = Extract<ProviderBooks, { find: unknown }>;

interface Reading extends DayQuestion {
  readonly db: Database;
  readonly startedAt: Date;
  guard(rows: number): void;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Our orders are read before the provider is asked: what we hold for done by then, it must have done. Orders that are
 * sent while it is asked are left for the next run.
 */
export async function readDay(db: Database, question: DayQuestion): Promise<Matched> {
  const reading: Reading = { ...question, db, startedAt: await timeIn(db, operatorScope), guard: startGuard() };
  const { period, provider } = question;
  const around = await readAround(reading);
  if ("find" in provider) {
    const orders = around.filter(({ sentAt }) => isWithin(sentAt, period));
    return matchSides({ orders, records: await askEach(reading, provider, orders) });
  }
  const records = await readList(reading, provider, period);
  const named = await readNamed(reading, records, around);
  const fresh = new Set(named.filter(({ sentAt }) => sentAt >= reading.startedAt).map(({ orderId }) => orderId));
  const { pairs, strangers } = matchSides({
    orders: [...around, ...named.filter(({ orderId }) => !fresh.has(orderId))],
    records: records.filter(({ ourId }) => ourId === null || !fresh.has(ourId)),
  });
  const isAlone = ({ ours, theirs }: (typeof pairs)[number]) => theirs === null && isWithin(ours.sentAt, period);
  const elsewhere = await findElsewhere(
    reading,
    provider,
    pairs.filter(isAlone).map(({ ours }) => ours),
  );
  const isOfDay = (pair: (typeof pairs)[number]) =>
    pair.theirs !== null || (isAlone(pair) && !elsewhere.has(pair.ours));
  return { pairs: pairs.filter(isOfDay), strangers };
}

/** What was refused before it was made has no record. */
function needsRecord({ state }: OurOrder): boolean {
  return state !== "failure" && state !== "trial";
}

/** Orders of the day and of an hour around it, whose records may be on this day. */
function readAround(reading: Reading): Promise<OurOrder[]> {
  const { connectionId, period } = reading;
  const atMost = mostRows + 1;
  const wide = { from: moved(period.from, -hourMs), to: moved(period.to, hourMs) };
  return eachBook(reading, (tx, book) => readOrders(tx, book, { connectionId, ...wide, orderIds: [], atMost }));
}

const never = { from: new Date(0), to: new Date(0) };

/** Further orders that the provider's records are about, whenever they were sent. */
function readNamed(
  reading: Reading,
  records: readonly ProviderRecord[],
  known: readonly OurOrder[],
): Promise<OurOrder[]> {
  const { connectionId } = reading;
  const isKnown = new Set(known.map(({ kind, orderId }) => `${kind}/${orderId}`));
  return eachBook(reading, async (tx, book) => {
    const own = records.filter(({ kind }) => kind === book.kind);
    const unnamed = own.filter(({ ourId }) => ourId === null).map(({ providerReference }) => providerReference);
    const traced = await findTracedOrders(tx, book, { connectionId, providerReferences: unnamed });
    const ids = new Set([...own.flatMap(({ ourId }) => ourId ?? []), ...traced]);
    const orderIds = [...ids].filter((id) => !isKnown.has(`${book.kind}/${id}`));
    if (orderIds.length === 0) return [];
    return readOrders(tx, book, { connectionId, ...never, orderIds, atMost: orderIds.length * 2 });
  });
}

async function eachBook(
  reading: Reading,
  read: (tx: Tx, book: OrderBook) => Promise<readonly OurOrder[]>,
): Promise<OurOrder[]> {
  const all: OurOrder[] = [];
  for (const book of reading.orderBooks) {
    all.push(...(await readEnvironment(reading.db, operatorScope, (tx) => read(tx, book))));
    reading.guard(all.length);
  }
  return all;
}

async function readList(reading: Reading, provider: Listing, period: RecordPeriod): Promise<ProviderRecord[]> {
  const kinds = reading.orderBooks.map(({ kind }) => kind as RecordKind);
  const records: ProviderRecord[] = [];
  try {
    for await (const record of provider.list(period, kinds)) {
      records.push(record);
      reading.guard(records.length);
    }
  } catch (error) {
    throw unreadable(error);
  }
  return records;
}

/** Which of the orders the provider has on the day before or after: those belong to that day. */
async function findElsewhere(
  reading: Reading,
  provider: Listing,
  orders: readonly OurOrder[],
): Promise<ReadonlySet<OurOrder>> {
  if (!orders.some(needsRecord)) return new Set();
  const { from, to } = reading.period;
  const before = await readList(reading, provider, { from: moved(from, -dayMs), to: from });
  const after = to < reading.startedAt ? await readList(reading, provider, { from: to, to: moved(to, dayMs) }) : [];
  const { pairs } = matchSides({ orders, records: [...before, ...after] });
  return new Set(pairs.filter(({ theirs }) => theirs !== null).map(({ ours }) => ours));
}

const askedAtOnce = 4;

/** A few questions at a time: providers slow down a caller who asks many. */
async function askEach(reading: Reading, provider: Asking, orders: readonly OurOrder[]): Promise<ProviderRecord[]> {
  // Also about those that failed with us: a biller may have delivered after all.
  const waiting = [...orders];
  const records: ProviderRecord[] = [];
  const ask = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      reading.guard(orders.length);
      const { kind, orderId, sentAt } = next;
      const record = await provider.find({ kind: kind as RecordKind, orderId, sentAt });
      if (record !== null) records.push(record);
    }
  };
  try {
    await Promise.all(Array.from({ length: askedAtOnce }, ask));
  } catch (error) {
    throw unreadable(error);
  }
  return records;
}

function isWithin(moment: Date, { from, to }: RecordPeriod): boolean {
  return moment >= from && moment < to;
}

function moved(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms);
}
