/**
 * The outbox: an event is a row of the transaction in which it happened, so nothing is ever announced that was not
 * committed. Its place in the list and the feed is given after commit (see sequencer.ts).
 */
import { sql } from "kysely";
import type { Tx } from "../database/database.ts";

export interface NewEvent {
  /** Such as transfer.completed. */
  readonly event: string;
  readonly resourceType: string;
  readonly resourceId: string;
  /** Counts the changes of the resource, so that a reader can tell which of two events is the later. */
  readonly resourceVersion: number;
  /** The record as GET would show it at this moment. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Writes events in their order and returns their ids. */
export async function recordEvents(tx: Tx, events: readonly NewEvent[]): Promise<string[]> {
  if (events.length === 0) return [];
  const { clock, id: environmentId } = tx.environment;
  const at = clock.now();
  const ids = events.map(() => clock.newId());
  await sql`
    insert into events (environment_id, id, event, resource_type, resource_id, resource_version, data, created_at)
    select ${environmentId}::uuid, e.id, e.event, e.resource_type, e.resource_id, e.resource_version,
      e.data::json, ${at}
    from unnest(${ids}::uuid[], ${events.map((event) => event.event)}::text[],
      ${events.map((event) => event.resourceType)}::text[], ${events.map((event) => event.resourceId)}::uuid[],
      ${events.map((event) => event.resourceVersion)}::integer[],
      ${events.map((event) => JSON.stringify(event.data))}::text[]) with ordinality
      as e (id, event, resource_type, resource_id, resource_version, data, place)
    order by e.place`.execute(tx);
  return ids;
}
