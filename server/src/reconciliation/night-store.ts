/** Which days wait for a comparison, and how the connections stand. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { ExceptionKind } from "./reconciliation.ts";

export interface NightQuestion {
  readonly connectionId: string;
  /** Both included. */
  readonly from: string;
  readonly until: string;
  /** When the present night began: what was compared since then is not compared again in it. */
  readonly nightBegan: Date;
  readonly now: Date;
}

/**
 * The newest first. A day waits when nothing has compared it since it was over, or when the last comparison left orders
 * open or exceptions unexplained. A provider that fails is asked again after an hour, then two, four and so on.
 */
export async function findDueDays(tx: Tx, question: NightQuestion): Promise<string[]> {
  const { connectionId, from, until, nightBegan, now } = question;
  const found = await sql<{ date: string }>`
    select d.day::date as date
    from generate_series(${from}::timestamp, ${until}::timestamp, interval '1 day') as d (day)
    left join lateral (
      select r.version, r.waiting, r.completed_at from reconciliations r
      where r.connection_id = ${connectionId} and r.date = d.day::date and r.state in ('clean', 'exceptions')
        and r.created_at >= (d.day + interval '1 day') at time zone 'Africa/Lagos'
      order by r.version desc limit 1) done on true
    left join lateral (
      select count(*)::integer as times, max(r.completed_at) as last from reconciliations r
      where r.connection_id = ${connectionId} and r.date = d.day::date and r.state = 'failed'
        and r.version > coalesce(done.version, 0)) failed on true
    where not exists (
      select from reconciliations r
      where r.connection_id = ${connectionId} and r.date = d.day::date and r.state = 'running')
      and (done.version is null or done.completed_at < ${nightBegan} and (done.waiting > 0 or exists (
        select from reconciliation_exceptions e where e.connection_id = ${connectionId} and e.date = d.day::date
          and e.closed_version is null and e.resolved_by is null)))
      and (failed.times = 0
        or failed.last <= ${now}::timestamptz - interval '1 hour' * power(2, least(failed.times - 1, 4)))
    order by d.day desc
    limit 100`.execute(tx);
  return found.rows.map(({ date }) => date);
}

export interface OpenCount {
  readonly connectionId: string;
  readonly kind: ExceptionKind;
  readonly count: number;
}

/** Neither resolved nor closed. */
export async function countOpen(tx: Tx): Promise<OpenCount[]> {
  const counted = await sql<OpenCount>`
    select e.connection_id as "connectionId", e.kind, count(*)::integer as count from reconciliation_exceptions e
    where e.closed_version is null and e.resolved_by is null
    group by e.connection_id, e.kind`.execute(tx);
  return counted.rows;
}

/** The last day of each connection that was compared as a whole and has nothing open, by connection. */
export async function lastCleanDays(tx: Tx): Promise<Map<string, string>> {
  const found = await sql<{ connection_id: string; date: string }>`
    select r.connection_id, max(r.date) as date from reconciliations r
    where r.state in ('clean', 'exceptions') and r.waiting = 0
      and r.created_at >= (r.date + interval '1 day') at time zone 'Africa/Lagos'
      and not exists (
        select from reconciliations l where l.connection_id = r.connection_id and l.date = r.date
          and l.version > r.version and l.state in ('clean', 'exceptions'))
      and not exists (
        select from reconciliation_exceptions e where e.connection_id = r.connection_id and e.date = r.date
          and e.closed_version is null and e.resolved_by is null)
    group by r.connection_id`.execute(tx);
  return new Map(found.rows.map((row) => [row.connection_id, row.date]));
}
