/**
 * The log, read. A page without a filter is a range of positions and costs the same anywhere; with one, the matches
 * are counted over an index.
 */

import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import { earliestIdFrom, idBeyond } from "../../platform/database/ids.ts";
import type { Row } from "../../platform/database/row.ts";
import type { PositionRange } from "../../platform/records/pagination.ts";
import type { LoggedEvent } from "./present-event.ts";

/** The list counter that the sequencer keeps. */
export const eventList = "events";

export interface EventFilter {
  /** Of a delivery. */
  readonly status: string | null;
  readonly events: readonly string[] | null;
  /** In the environment's time; `from` counts in, `to` does not. */
  readonly from: Date | null;
  readonly to: Date | null;
}

/** A filter, and the position above which events are online. */
export interface OnlineFilter extends EventFilter {
  readonly floor: bigint;
}

export const eventColumns = ["id", "event", "created_at", "resource_version", "data"] as const;

export type EventRow = Row<"events", (typeof eventColumns)[number]>;

export function toLoggedEvent(row: EventRow): LoggedEvent {
  return {
    id: row.id,
    event: row.event,
    createdAt: row.created_at,
    resourceVersion: row.resource_version,
    data: row.data as LoggedEvent["data"],
  };
}

/** One that stands above the floor, or has no position yet. */
export async function findEvent(tx: Tx, id: string, floor: bigint): Promise<LoggedEvent | undefined> {
  const row = await tx
    .selectFrom("events")
    .select(eventColumns)
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where((row) => row.or([row("list_position", "is", null), row("list_position", ">", floor)]))
    .executeTakeFirst();
  return row === undefined ? undefined : toLoggedEvent(row);
}

export async function readEvents(tx: Tx, range: PositionRange): Promise<LoggedEvent[]> {
  const rows = await tx
    .selectFrom("events")
    .select(eventColumns)
    .where("environment_id", "=", tx.environment.id)
    .where("list_position", ">=", range.first)
    .where("list_position", "<=", range.last)
    .orderBy("list_position", "desc")
    .limit(100)
    .execute();
  return rows.map(toLoggedEvent);
}

export async function countMatching(tx: Tx, filter: OnlineFilter): Promise<bigint> {
  const counted = await sql<{ total: bigint }>`
    select count(*) as total from events e where ${conditionOf(tx, filter)}`.execute(tx);
  return counted.rows[0]?.total ?? 0n;
}

export async function readMatching(
  tx: Tx,
  filter: OnlineFilter,
  page: { readonly skip: bigint; readonly limit: number },
): Promise<LoggedEvent[]> {
  const columns = sql.join(eventColumns.map((column) => sql.ref(`e.${column}`)));
  const found = await sql<EventRow>`
    select ${columns} from events e where ${conditionOf(tx, filter)}
    order by e.list_position desc limit ${page.limit} offset ${page.skip}`.execute(tx);
  return found.rows.map(toLoggedEvent);
}

/** Oldest first. */
export async function readMatchingIds(tx: Tx, filter: OnlineFilter, limit: number): Promise<string[]> {
  const found = await sql<{ id: string }>`
    select e.id from events e where ${conditionOf(tx, filter)} order by e.list_position limit ${limit}`.execute(tx);
  return found.rows.map(({ id }) => id);
}

function conditionOf(tx: Tx, { status, events, from, to, floor }: OnlineFilter): RawBuilder<unknown> {
  const parts = [sql`e.environment_id = ${tx.environment.id} and e.list_position > ${floor}`];
  if (status !== null) {
    parts.push(sql`e.id in (select d.event_id from webhook_deliveries d
      where d.environment_id = ${tx.environment.id} and d.status = ${status})`);
  }
  if (events !== null) parts.push(sql`e.event = any (${events}::text[])`);
  if (from !== null) parts.push(sql`e.created_at >= ${from}`);
  if (to !== null) parts.push(sql`e.created_at < ${to}`);
  // Without names the primary key serves: ids carry their time.
  if (events === null && from !== null) parts.push(sql`e.id >= ${earliestIdFrom(from)}::uuid`);
  if (events === null && to !== null) parts.push(sql`e.id < ${idBeyond(to)}::uuid`);
  return sql.join(parts, sql` and `);
}
