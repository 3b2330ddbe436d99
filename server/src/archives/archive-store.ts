import { type RawBuilder, sql } from "kysely";
import type { Database, EnvironmentKind, Tx } from "../platform/database/database.ts";
import type { StoredEvent } from "./archive.ts";

export interface DueArchive {
  readonly environmentId: string;
  readonly kind: EnvironmentKind;
  /** Null where only rows are left to be removed. */
  readonly oldest: Date | null;
}

export interface DueBefore {
  readonly LIVE: Date | null;
  readonly SANDBOX: Date | null;
}

export async function findDueArchives(db: Database, before: DueBefore, limit: number): Promise<DueArchive[]> {
  const found = await sql<DueArchive>`
    select environment_id as "environmentId", kind, oldest
    from find_due_archives(${before.LIVE}, ${before.SANDBOX}, ${limit})`.execute(db);
  return found.rows;
}

/** Only one archives an environment at a time; the others pass it by. Held until the transaction ends. */
export async function takeArchiving(tx: Tx): Promise<boolean> {
  const taken = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`jara.archive/${tx.environment.id}`}, 0)) as taken`.execute(tx);
  return taken.rows[0]?.taken === true;
}

/** A resend comes to readers of the feed for so long at least. In the environment's time. */
const resentLately = "30 days";
/** What a worker has under way may be written down late. In real time. */
const triedLately = "1 hour";

const utc = (moment: RawBuilder<unknown>) =>
  sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Events behind a position in their order. The line has all that is stored of an event, but where it was sent. */
export async function readStored(tx: Tx, after: bigint, limit: number): Promise<StoredEvent[]> {
  const found = await sql<StoredEvent>`
    select e.list_position as position, e.id, e.created_at as "createdAt", json_build_object(
        'position', e.list_position, 'id', e.id, 'event', e.event, 'createdAt', ${utc(sql`e.created_at`)},
        'resourceType', e.resource_type, 'resourceId', e.resource_id, 'resourceVersion', e.resource_version,
        'data', e.data, 'deliveries', coalesce(d.deliveries, '[]'))::text as line,
      coalesce(d.busy, false) or exists (select from event_resends r
        where r.environment_id = e.environment_id and r.event_id = e.id
          and r.created_at > ${tx.environment.clock.now()}::timestamptz - ${resentLately}::interval) as busy
    from events e
    left join lateral (
      select bool_or(o.status = 'pending' or coalesce(t.lately, false)) as busy, json_agg(json_build_object(
          'endpointId', o.endpoint_id, 'status', o.status, 'attempts', o.attempts, 'dueAt', ${utc(sql`o.due_at`)},
          'completedAt', ${utc(sql`o.completed_at`)}, 'log', coalesce(t.log, '[]'))
          order by o.endpoint_id) as deliveries
      from webhook_deliveries o
      left join lateral (
        select bool_or(a.sent_at > clock_timestamp() - ${triedLately}::interval) as lately,
          json_agg(json_build_object('at', ${utc(sql`a.at`)}, 'sentAt', ${utc(sql`a.sent_at`)},
            'status', a.response_status, 'durationMs', a.duration_ms, 'body', a.response_body, 'error', a.error)
            order by a.sent_at) as log
        from webhook_attempt_log a
        where a.environment_id = o.environment_id and a.event_id = o.event_id and a.endpoint_id = o.endpoint_id
      ) as t on true
      where o.environment_id = e.environment_id and o.event_id = e.id
    ) as d on true
    where e.environment_id = ${tx.environment.id} and e.list_position > ${after}
    order by e.list_position limit ${limit}`.execute(tx);
  return found.rows;
}

export interface NewArchive {
  readonly firstPosition: bigint;
  readonly lastPosition: bigint;
  readonly lastEventId: string;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** From the commit on these events are archived. */
export async function insertArchive(tx: Tx, archive: NewArchive): Promise<void> {
  await tx
    .insertInto("event_archives")
    .values({
      environment_id: tx.environment.id,
      first_position: archive.firstPosition,
      last_position: archive.lastPosition,
      last_event_id: archive.lastEventId,
      first_at: archive.firstAt,
      last_at: archive.lastAt,
      file: archive.file,
      bytes: BigInt(archive.bytes),
      sha256: archive.sha256,
      removed_through: archive.firstPosition - 1n,
    })
    .execute();
}

/** The names of the environment's files that count. */
export async function readArchiveFiles(tx: Tx, first: bigint, last: bigint): Promise<string[]> {
  const rows = await tx
    .selectFrom("event_archives")
    .select("file")
    .where("environment_id", "=", tx.environment.id)
    .where("last_position", ">=", first)
    .where("first_position", "<=", last)
    .execute();
  return rows.map(({ file }) => file);
}

/** Rows of archived events, oldest first; returns 0 when none is left. */
export async function removeArchived(tx: Tx, atMost: number): Promise<number> {
  const gone = await sql<{ gone: number }>`select remove_archived_events(${atMost}) as gone`.execute(tx);
  return gone.rows[0]?.gone ?? 0;
}

export interface FiledArchive {
  /** Below the folder. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What the environment's files were when they were written. */
export async function readArchives(tx: Tx): Promise<FiledArchive[]> {
  const rows = await tx
    .selectFrom("event_archives")
    .select(["file", "bytes", "sha256"])
    .where("environment_id", "=", tx.environment.id)
    .orderBy("first_position")
    .execute();
  return rows.map(({ file, bytes, sha256 }) => ({ file, bytes: Number(bytes), sha256 }));
}
