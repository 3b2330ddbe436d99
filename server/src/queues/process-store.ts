/** Rows of processes, and what PostgreSQL says of itself. In the operator's scope. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { OurProcess, Standby } from "./process.ts";

export async function readDatabaseTime(tx: Tx): Promise<Date> {
  const read = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx);
  const [row] = read.rows;
  if (row === undefined) throw new Error("PostgreSQL did not tell the time");
  return row.now;
}

export interface Beat extends Pick<OurProcess, "id" | "role" | "version" | "host" | "pid"> {
  readonly clockAheadMs: number;
}

/** Also forgets those that have been silent for a day. */
export async function writeBeat(tx: Tx, { id, role, version, host, pid, clockAheadMs }: Beat): Promise<void> {
  await sql`
    insert into processes (id, role, version, host, pid, clock_ahead_ms)
    values (${id}, ${role}, ${version}, ${host}, ${pid}, ${clockAheadMs})
    on conflict (id) do update set heard_at = clock_timestamp(), clock_ahead_ms = excluded.clock_ahead_ms`.execute(tx);
  await sql`delete from processes where heard_at < clock_timestamp() - interval '1 day'`.execute(tx);
}

export async function removeProcess(tx: Tx, id: string): Promise<void> {
  await sql`delete from processes where id = ${id}`.execute(tx);
}

/** Those that were never stopped in order stay to be seen for a day. */
export async function listProcesses(tx: Tx): Promise<OurProcess[]> {
  const found = await sql<OurProcess>`
    select p.id, p.role, p.version, p.host, p.pid, p.clock_ahead_ms as "clockAheadMs", p.started_at as "startedAt",
      p.heard_at as "heardAt", extract(epoch from clock_timestamp() - p.heard_at)::float8 as "silentSeconds"
    from processes p order by p.role, p.started_at limit 1000`.execute(tx);
  return found.rows;
}

/**
 * How far each standby that has a slot is behind, in bytes of the log. Seconds are only told to a login that may read
 * all statistics (pg_read_all_stats).
 */
export async function listStandbys(tx: Tx): Promise<Standby[]> {
  const found = await sql<Standby>`
    select s.slot_name as name, s.active as connected,
      coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), coalesce(r.replay_lsn, s.restart_lsn)), 0)::float8
        as "behindBytes",
      extract(epoch from r.replay_lag)::float8 as "behindSeconds"
    from pg_replication_slots s left join pg_stat_replication r on r.pid = s.active_pid
    where s.slot_type = 'physical' order by 1 limit 100`.execute(tx);
  return found.rows;
}
