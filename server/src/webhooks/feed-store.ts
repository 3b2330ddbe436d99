import { sql } from "kysely";
import type { Database, Tx } from "../platform/database/database.ts";
import { type EventRow, eventColumns, toLoggedEvent } from "./event-log-store.ts";
import type { FeedPlace } from "./feed.ts";
import type { LoggedEvent } from "./present-event.ts";

export interface FeedItem {
  readonly place: FeedPlace;
  readonly event: LoggedEvent;
}

/** Events from a position on, that position included, oldest first. */
export async function readFrom(tx: Tx, position: bigint, limit: number): Promise<FeedItem[]> {
  const rows = await tx
    .selectFrom("events")
    .select([...eventColumns, "list_position"])
    .where("environment_id", "=", tx.environment.id)
    .where("list_position", ">=", position)
    .orderBy("list_position")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ place: placeOf(row), event: toLoggedEvent(row) }));
}

/** The place of the newest event, or undefined while there is none. */
export async function readNewestPlace(tx: Tx): Promise<FeedPlace | undefined> {
  const row = await tx
    .selectFrom("events")
    .select(["id", "list_position"])
    .where("environment_id", "=", tx.environment.id)
    .where("list_position", "is not", null)
    .orderBy("list_position", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && placeOf(row);
}

function placeOf(row: Pick<EventRow, "id"> & { readonly list_position: bigint | null }): FeedPlace {
  if (row.list_position === null) throw new Error(`event ${row.id} has no position`);
  return { position: row.list_position, eventId: row.id };
}

/** The last position of each environment; one without events is not among them. */
export async function readEventTotals(db: Database, environmentIds: readonly string[]): Promise<Map<string, bigint>> {
  const found = await sql<{ environment_id: string; total: bigint }>`
    select environment_id, total from read_event_totals(${environmentIds}::uuid[])`.execute(db);
  return new Map(found.rows.map((row) => [row.environment_id, row.total]));
}
