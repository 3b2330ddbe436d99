/**
 * A table of orders that is a worker's queue as well: what waits for a worker, or is held by one, has `claim_at`. A
 * lane is what an environment has for one counterparty, which a column of the table names. Live environments have
 * rounds and places of their own: no sandbox can keep them waiting. What a killed worker held is asked about, not sent.
 */
import { sql } from "kysely";
import type { Database, EnvironmentKind, Tx } from "../platform/database/database.ts";
import { retryTransient } from "../platform/database/retry-transient.ts";
import { aboutRecord } from "../platform/log-subject.ts";
import type { Logger } from "../platform/logger.ts";
import { type ClaimedOrder, type HandOver, joining, type Rounds } from "../platform/work/rounds.ts";
import type { Desk } from "./desk.ts";
import { type OpenOrder, openOrder } from "./order.ts";
import { createOrderRounds, roomBy, type Take, type WaitingLane } from "./order-rounds.ts";
import { countQueries } from "./orders.ts";
import type { Pursuit } from "./pursue-order.ts";
import { createOpenTakes } from "./wait-for-rail.ts";

interface QueuedOrder {
  readonly id: string;
  readonly status: string;
}

/** How a slice's table is read as a queue. */
export interface OrderQueue<Order extends QueuedOrder, Row> {
  /** As the log calls one: "transfer". */
  readonly noun: string;
  readonly table: "transfers" | "bills";
  readonly columns: readonly string[];
  toOrder(row: Row): Order;
  readonly laneColumn: string;
  laneOf(order: Order): string;
  /** For how long an order is its claimer's, who takes it further or is dead. */
  readonly leaseSeconds: number;
}

/** An order that has not ended, as it is now. */
export async function findQueued<Order extends QueuedOrder, Row>(
  tx: Tx,
  { table, columns, toOrder }: OrderQueue<Order, Row>,
  id: string,
): Promise<OpenOrder<Order> | undefined> {
  const found = await sql<Row & { readonly sent_at: Date | null }>`
    select ${listOf(columns)}, t.sent_at from ${sql.table(table)} t
    where t.environment_id = ${tx.environment.id} and t.id = ${id}`.execute(tx);
  const row = found.rows[0];
  return row && openOrder(tx, toOrder(row), row.sent_at);
}

/** No worker holds what the rail was asked about: the agenda asks again. How often it was asked, by id. */
export function countQueued(
  tx: Tx,
  { table }: Pick<OrderQueue<never, never>, "table">,
  orders: readonly { readonly id: string }[],
): Promise<Map<string, number>> {
  return countQueries(tx, table, orders, sql`claim_at = null`);
}

export interface SenderParts<Order extends QueuedOrder, Row, Rail> {
  readonly db: Database;
  readonly log: Logger;
  readonly queue: OrderQueue<Order, Row>;
  readonly pursuit: Pursuit<Order>;
  readonly desk: Desk<Rail>;
  /** Where orders that are accepted in this process come in. */
  readonly handOver: HandOver<ClaimedOrder<Order>>;
}

/** A worker's rounds over the waiting orders of all environments of one kind. */
export function createSender<Order extends QueuedOrder, Row, Rail>(
  parts: SenderParts<Order, Row, Rail>,
  kind: EnvironmentKind,
): Rounds {
  const { db, queue, desk, handOver } = parts;
  const openTakes = createOpenTakes(desk, kind);
  const rounds = createOrderRounds<ClaimedOrder<Order>>({
    ...roomBy[kind],
    look: () => findWaitingLanes(db, queue, kind),
    claim: async (takes) => claimOrders(db, queue, await openTakes(takes)),
    laneOf: ({ environmentId, order }) => ({ environmentId, counterparty: queue.laneOf(order) }),
    advance: (claimed) => advance(parts, kind, claimed),
  });
  return joining(rounds, kind, handOver);
}

async function advance<Order extends QueuedOrder, Row, Rail>(
  { log, queue, pursuit }: SenderParts<Order, Row, Rail>,
  kind: EnvironmentKind,
  { environmentId, order, fresh }: ClaimedOrder<Order>,
): Promise<void> {
  const key = { environmentId, kind, id: order.id };
  const further = () => {
    if (fresh) return pursuit.send(key, order);
    return order.status === "pending" ? pursuit.begin(key, order) : pursuit.takeUp(key);
  };
  await aboutRecord({ environmentId, recordId: order.id }, () =>
    further().catch((error: unknown) => log.error({ err: error }, `a ${queue.noun} could not be taken further`)),
  );
}

export async function findWaitingLanes<Order extends QueuedOrder, Row>(
  db: Database,
  { table, laneColumn }: OrderQueue<Order, Row>,
  kind: EnvironmentKind,
): Promise<readonly WaitingLane[]> {
  const found = await sql<WaitingLane>`
    select environment_id as "environmentId", lane as counterparty, waiting_since as since
    from find_waiting_lanes(${table}, ${laneColumn}, ${kind})`.execute(db);
  return found.rows;
}

export async function claimOrders<Order extends QueuedOrder, Row>(
  db: Database,
  { table, laneColumn, columns, toOrder, leaseSeconds }: OrderQueue<Order, Row>,
  takes: readonly Take[],
): Promise<readonly ClaimedOrder<Order>[]> {
  const claimed = await retryTransient(() =>
    sql<Row & { readonly environment_id: string }>`
      select t.environment_id, ${listOf(columns)}
      from claim_orders(null::${sql.table(table)}, ${laneColumn}, ${takes.map((take) => take.environmentId)}::uuid[],
        ${takes.map(({ counterparty }) => counterparty)}::text[], ${takes.map(({ take }) => take)}::integer[],
        ${leaseSeconds}) as t`.execute(db),
  );
  return claimed.rows.map((row) => ({ environmentId: row.environment_id, order: toOrder(row), fresh: false }));
}

function listOf(columns: readonly string[]) {
  return sql.join(columns.map((column) => sql.ref(`t.${column}`)));
}
