/** What a piece of work costs: computing time, bytes of WAL, commits, round trips, rows read by scanning a table. */
import { cpuMsOf } from "./cpu.ts";
import type { Stage } from "./stage.ts";

/** Settings of a stage whose costs are read: each statement that a client sends is counted. */
export const watchCosts = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track": "top",
  "pg_stat_statements.track_planning": "off",
} as const;

/** Each for one piece of the work, such as a delivery. */
export interface Cost {
  readonly serverCpuMs: number;
  readonly postgresCpuMs: number;
  readonly walBytes: number;
  readonly commits: number;
  readonly roundTrips: number;
  readonly scannedRows: number;
}

const reading = `
  select w.wal_bytes::float as "walBytes", d.xact_commit::float as commits,
    (select sum(s.calls) from pg_stat_statements s)::float as "roundTrips",
    (select sum(t.seq_tup_read) from pg_stat_user_tables t)::float as "scannedRows"
  from pg_stat_wal w, pg_stat_database d where d.datname = current_database()`;

export async function readMeter({ admin, serverProcessId, postgresProcessId }: Stage): Promise<Cost> {
  await admin.query("create extension if not exists pg_stat_statements");
  const found = await admin.query<Omit<Cost, "serverCpuMs" | "postgresCpuMs">>(reading);
  const [row] = found.rows;
  if (row === undefined) throw new Error("the database tells nothing about its work");
  return { ...row, serverCpuMs: cpuMsOf(serverProcessId), postgresCpuMs: cpuMsOf(postgresProcessId) };
}

export async function costSince(stage: Stage, before: Cost, pieces: number): Promise<Cost> {
  const after = await readMeter(stage);
  const share = (name: keyof Cost): number => (after[name] - before[name]) / pieces;
  return {
    serverCpuMs: share("serverCpuMs"),
    postgresCpuMs: share("postgresCpuMs"),
    walBytes: share("walBytes"),
    commits: share("commits"),
    roundTrips: share("roundTrips"),
    scannedRows: share("scannedRows"),
  };
}
