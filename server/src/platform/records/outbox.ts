/**
 * The outbox: an event is a row of the transaction in which it happened, so nothing is ever announced that was not
 * committed. Its place in the list and the feed is given after commit (see sequencer.ts), or, for a batch that many
 * share, as the last thing before it.
 */
import { sql } from "kysely";
import type { Tx } from "../database/database.ts";
import { unawaited } from "../database/unawaited.ts";

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

interface EventRow extends NewEvent {
  readonly id: string;
}

interface Gathering {
  readonly environmentId: string;
  readonly rows: EventRow[];
}

const gatherings = new WeakMap<Tx, Gathering>();

/** Writes events in their order and returns their ids. */
export async function recordEvents(tx: Tx, events: readonly NewEvent[]): Promise<string[]> {
  if (events.length === 0) return [];
  const rows = events.map((event) => ({ id: tx.environment.clock.newId(), ...event }));
  const gathering = gatherings.get(tx);
  if (gathering?.environmentId === tx.environment.id) gathering.rows.push(...rows);
  else await writeForSequencer(tx, rows);
  return rows.map(({ id }) => id);
}

/**
 * Writes the events of `work` together and numbered, as the last thing that its transaction does. The counter that
 * gives the numbers is held until commit: nobody else numbers events of the environment in the meantime.
 */
export async function gatherEvents<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const gathering: Gathering = { environmentId: tx.environment.id, rows: [] };
  gatherings.set(tx, gathering);
  try {
    const done = await work();
    if (gathering.rows.length > 0) await writeNumbered(tx, gathering.rows);
    return done;
  } finally {
    gatherings.delete(tx);
  }
}

async function writeForSequencer(tx: Tx, rows: readonly EventRow[]): Promise<void> {
  const { clock, id: environmentId } = tx.environment;
  const insert = sql`
    insert into events (environment_id, id, event, resource_type, resource_id, resource_version, data, created_at)
    select ${environmentId}::uuid, e.id, e.event, e.resource_type, e.resource_id, e.resource_version,
      e.data::json, ${clock.now()}
    from unnest(${columnsOf(rows)}) with ordinality
      as e (id, event, resource_type, resource_id, resource_version, data, place)
    order by e.place`;
  await unawaited(() => insert.execute(tx));
}

async function writeNumbered(tx: Tx, rows: readonly EventRow[]): Promise<void> {
  const call = sql`select record_batch_events(${tx.environment.clock.now()}, ${columnsOf(rows)})`;
  await unawaited(() => call.execute(tx));
}

function columnsOf(rows: readonly EventRow[]) {
  return sql`${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ event }) => event)}::text[],
    ${rows.map(({ resourceType }) => resourceType)}::text[], ${rows.map(({ resourceId }) => resourceId)}::uuid[],
    ${rows.map(({ resourceVersion }) => resourceVersion)}::integer[],
    ${rows.map(({ data }) => JSON.stringify(data))}::text[]`;
}
