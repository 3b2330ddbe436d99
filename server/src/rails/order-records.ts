/**
 * Rows of a table of orders: how they are written, read and moved from state to state. A slice says which columns are
 * its own and what a row means. A move is an SQL function of the slice, which compares and sets the state of many rows.
 */
import { type RawBuilder, sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Row } from "../platform/database/row.ts";
import { unawaited } from "../platform/database/unawaited.ts";
import { firstOfEach } from "../platform/records/first-of-each.ts";

export interface OrderRecords<Order, Row> {
  readonly table: "transfers" | "bills";
  readonly columns: readonly string[];
  toOrder(row: Row): Order;
}

/** What every record that is an order has. */
export interface OrderRecord {
  readonly id: string;
  readonly reference: string;
  /** The wallet that pays, and gets its money back. */
  readonly sourceAccountId: string;
  readonly amount: Kobo;
  readonly fee: Kobo;
  readonly version: number;
  readonly failureReason: { readonly code: string; readonly message: string } | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
  /** Which account of ours at a provider has it; null while it waits, and for the simulated rail. */
  readonly connectionId: string | null;
}

/** What one has that was just accepted, besides what was asked for. */
export function pendingOrder(id: string, now: Date) {
  const moments = { createdAt: now, updatedAt: now, completedAt: null };
  return { id, status: "pending", version: 1, failureReason: null, connectionId: null, ...moments } as const;
}

/** Its columns, the state's among them. */
export const orderColumns = [
  "id",
  "reference",
  "source_account_id",
  "amount",
  "fee",
  "status",
  "version",
  "failure_code",
  "failure_message",
  "created_at",
  "updated_at",
  "completed_at",
  "connection_id",
] as const;

type OrderRow = Pick<
  Row<"transfers", (typeof orderColumns)[number]>,
  Exclude<(typeof orderColumns)[number], "source_account_id">
>;

/** The record's part of a row, but for the wallet and the state, which a slice names in its own way. */
export function toOrderRecord(row: OrderRow): Omit<OrderRecord, "sourceAccountId"> {
  const { failure_code: code, failure_message: message } = row;
  return {
    id: row.id,
    reference: row.reference,
    amount: kobo(row.amount),
    fee: kobo(row.fee),
    version: row.version,
    failureReason: code === null ? null : { code, message: message ?? code },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
    connectionId: row.connection_id,
  };
}

/** The columns for a statement that calls the table `t`. */
export function columnsOf({ columns }: Pick<OrderRecords<never, never>, "columns">): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(`t.${column}`)));
}

export async function findOrder<Order, Row>(
  tx: Tx,
  records: OrderRecords<Order, Row>,
  id: string,
): Promise<Order | undefined> {
  const found = await sql<Row>`
    select ${columnsOf(records)} from ${sql.table(records.table)} t
    where t.environment_id = ${tx.environment.id} and t.id = ${id}`.execute(tx);
  return found.rows.map(records.toOrder)[0];
}

/** Lists of values for a statement, one for each column; `read` says what a row has in it. */
export function listOf<Item>(items: readonly Item[], type: string, read: (item: Item) => unknown): RawBuilder<unknown> {
  return sql`${items.map(read)}::${sql.raw(type)}[]`;
}

/** What an order has from the beginning. */
type NewOrder = Pick<
  OrderRecord,
  "id" | "reference" | "sourceAccountId" | "amount" | "fee" | "version" | "createdAt"
> & {
  readonly status: string;
};

/** A column that a slice writes: its type, and what an order has in it. */
export type WrittenColumn<Order> = readonly [type: string, read: (order: Order) => unknown];

export interface WrittenOrders<Order> {
  readonly table: "transfers" | "bills";
  /** The column of the id by which the rail knows the order. */
  readonly railId: string;
  readonly railIdOf: (order: Order) => string | null;
  /** The slice's own columns. */
  readonly own: Readonly<Record<string, WrittenColumn<Order>>>;
}

export interface NewOrders<Order> {
  readonly records: readonly Order[];
  /** The list position of the first; null for orders that are not listed. */
  readonly firstPosition: RawBuilder<bigint> | null;
  /** Whether a worker may take them up at once; otherwise the agenda brings them. */
  readonly claimable: boolean;
}

/**
 * For how long an order that starts with its acceptance is its process's. If that is killed, all that it accepted in
 * the last second is left behind, and the rail is asked about it when this time is over.
 */
const startedLeaseSeconds = 20;

/**
 * Writes accepted orders of one moment in one statement, a column at a time: PostgreSQL reads arrays in less than half
 * the time that it needs for the same rows as JSON. An order that the rail will know by an id is claimed by its writer.
 */
export async function insertOrders<Order extends NewOrder>(
  tx: Tx,
  { table, railId, railIdOf, own }: WrittenOrders<Order>,
  { records, firstPosition, claimable }: NewOrders<Order>,
): Promise<void> {
  const [first] = records;
  if (first === undefined) return;
  const written: Readonly<Record<string, WrittenColumn<Order>>> = {
    id: ["uuid", ({ id }) => id],
    reference: ["text", ({ reference }) => reference],
    source_account_id: ["uuid", ({ sourceAccountId }) => sourceAccountId],
    amount: ["bigint", ({ amount }) => String(amount)],
    fee: ["bigint", ({ fee }) => String(fee)],
    ...own,
    status: ["text", ({ status }) => status],
    version: ["integer", ({ version }) => version],
    [railId]: ["text", railIdOf],
  };
  const names = sql.join(Object.keys(written).map((name) => sql.ref(name)));
  const lists = Object.values(written).map(([type, read]) => listOf(records, type, read));
  const now = first.createdAt;
  const isStarted = sql`t.${sql.ref(railId)} is not null`;
  const insert = sql`
    insert into ${sql.table(table)} (environment_id, list_position, created_at, updated_at, sent_at, claim_at, ${names})
    select ${tx.environment.id}::uuid, ${firstPosition}::bigint + t.place - 1, ${now}::timestamptz,
      ${now}::timestamptz, case when ${isStarted} then ${now}::timestamptz end,
      case when ${claimable}::boolean then clock_timestamp()
        + case when ${isStarted} then make_interval(secs => ${startedLeaseSeconds}) else interval '0' end end,
      ${sql.join(Object.keys(written).map((name) => sql.ref(`t.${name}`)))}
    from unnest(${sql.join(lists)}) with ordinality as t (${names}, place)`;
  await unawaited(() => insert.execute(tx));
}

/** What every end of an order says. */
export interface OrderEnd {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly failure: OrderRecord["failureReason"];
}

/** The lists of the functions `move_…` that say which orders end and how. */
export function endsOf(ends: readonly OrderEnd[]): RawBuilder<unknown>[] {
  return [
    listOf(ends, "text", ({ from }) => from),
    listOf(ends, "text", ({ to }) => to),
    listOf(ends, "text", ({ failure }) => failure?.code ?? null),
    listOf(ends, "text", ({ failure }) => failure?.message ?? null),
  ];
}

/**
 * Moves many orders with an SQL function that takes the environment's time, their ids, and further lists. Returns those
 * that were still in the expected state, as they are now, by id.
 */
export async function moveOrders<Order extends { readonly id: string }, Row, Move extends { readonly id: string }>(
  tx: Tx,
  records: Pick<OrderRecords<Order, Row>, "columns" | "toOrder">,
  { sqlFunction, moves, lists }: OrderMoves<Move>,
): Promise<Map<string, Order>> {
  // Of two moves of one order the first counts. Locks: the rows, in id order.
  const distinct = firstOfEach(moves);
  const given = [listOf(distinct, "uuid", ({ id }) => id), ...lists(distinct)];
  const moved = await sql<Row>`
    select ${columnsOf(records)}
    from ${sql.table(sqlFunction)}(${tx.environment.clock.now()}, ${sql.join(given)}) as t`.execute(tx);
  return new Map(moved.rows.map(records.toOrder).map((order) => [order.id, order]));
}

export interface OrderMoves<Move> {
  readonly sqlFunction: "move_transfers" | "start_transfers" | "move_bills" | "start_bills";
  readonly moves: readonly Move[];
  /** What the function takes after the ids, each for all moves. */
  lists(moves: readonly Move[]): readonly RawBuilder<unknown>[];
}

/** An order, and what was asked of its rail. */
export interface AskedOrder<Order> {
  readonly order: Order;
  readonly sentAt: Date | null;
  /** How often the rail was asked about it because it had not told the outcome. */
  readonly queries: number;
}

/** Orders that satisfy a condition about `t`, in the order of their ids. */
export async function readAsked<Order, Row>(
  tx: Tx,
  records: OrderRecords<Order, Row>,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<AskedOrder<Order>[]> {
  if (limit === 0) return [];
  const found = await sql<Row & { readonly sent_at: Date | null; readonly queries: number }>`
    select ${columnsOf(records)}, t.sent_at, t.queries from ${sql.table(records.table)} t
    where t.environment_id = ${tx.environment.id} and ${condition} order by t.id limit ${limit}`.execute(tx);
  return found.rows.map((row) => ({ order: records.toOrder(row), sentAt: row.sent_at, queries: row.queries }));
}
