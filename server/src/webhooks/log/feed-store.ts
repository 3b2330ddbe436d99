import { sql } from "kysely";
import type { Database, Tx } from "../../platform/database/database.ts";
import { readTotal } from "../../platform/records/pagination.ts";
import { type EventRow, eventColumns, toLoggedEvent } from "./event-log-store.ts";
import type { FeedPlace, FeedTotals, Numbered, Resent } from "./feed.ts";
import type { LoggedEvent } from "./present-event.ts";
import { resendList } from "./redelivery-store.ts";

/** Events from a position on, that position included, oldest first. */
export async function readFrom(tx: Tx, position: bigint, limit: number): Promise<Numbered<LoggedEvent>[]> {
  const rows = await tx
    .selectFrom("events")
    .select([...eventColumns, "list_position"])
    .where("environment_id", "=", tx.environment.id)
    .where("list_position", ">=", position)
    .orderBy("list_position")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ position: positionOf(row), id: row.id, event: toLoggedEvent(row) }));
}

/** Resends from a position on, that position included, oldest first. The event of one may be archived by now. */
export async function readResendsFrom(
  tx: Tx,
  position: bigint,
  limit: number,
): Promise<Resent<LoggedEvent | undefined>[]> {
  const rows = await tx
    .selectFrom("event_resends as r")
    .leftJoin("events as e", (join) =>
      join.onRef("e.environment_id", "=", "r.environment_id").onRef("e.id", "=", "r.event_id"),
    )
    .select(["r.list_position as position", "r.after_event as afterEvent", "r.created_at as at"])
    .select(["e.id", "e.event", "e.created_at", "e.resource_version", "e.data"])
    .where("r.environment_id", "=", tx.environment.id)
    .where("r.list_position", ">=", position)
    .orderBy("r.list_position")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    position: row.position,
    afterEvent: row.afterEvent,
    at: row.at,
    event: row.id === null ? undefined : toLoggedEvent(row as EventRow),
  }));
}

/** The last resend before an event of this position: where a reader of the plain feed is who now asks for resends. */
export async function readResendBefore(tx: Tx, position: bigint): Promise<bigint> {
  const row = await tx
    .selectFrom("event_resends")
    .select("list_position")
    .where("environment_id", "=", tx.environment.id)
    .where("after_event", "<", position)
    .orderBy("after_event", "desc")
    .orderBy("list_position", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.list_position ?? 0n;
}

/** The place after the newest event and the newest resend, or undefined while no event is online. */
export async function readNewestPlace(tx: Tx): Promise<Required<FeedPlace> | undefined> {
  const row = await tx
    .selectFrom("events")
    .select(["id", "list_position"])
    .where("environment_id", "=", tx.environment.id)
    .where("list_position", "is not", null)
    .orderBy("list_position", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && { position: positionOf(row), eventId: row.id, resend: await readTotal(tx, resendList) };
}

function positionOf(row: Pick<EventRow, "id"> & { readonly list_position: bigint | null }): bigint {
  if (row.list_position === null) throw new Error(`event ${row.id} has no position`);
  return row.list_position;
}

/** An environment without events is not among them. */
export async function readFeedTotals(
  db: Database,
  environmentIds: readonly string[],
): Promise<Map<string, FeedTotals>> {
  const found = await sql<FeedTotals & { environment_id: string }>`
    select environment_id, events, resends from read_feed_totals(${environmentIds}::uuid[])`.execute(db);
  return new Map(found.rows.map(({ environment_id, ...totals }) => [environment_id, totals]));
}
