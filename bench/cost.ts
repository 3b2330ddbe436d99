/**
 * What a stretch of work cost: WAL, waits for the disk, transactions, processor time, memory, and how tables fared.
 * Counts do not depend on how busy the machine is; processor time hardly does.
 */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { cpuMsOf } from "./cpu.ts";
import type { Stage } from "./stage.ts";
import { readProcessorTime, stolenShare } from "./stolen-time.ts";

export interface TableCost {
  readonly name: string;
  readonly deadRows: number;
  readonly updates: number;
  readonly hotUpdates: number;
  readonly seqScans: number;
  readonly seqRows: number;
}

export interface Cost {
  readonly walBytes: number;
  /** Of them, images of whole pages: their number depends on when the last checkpoint was. */
  readonly fullPageShare: number;
  readonly fsyncs: number;
  readonly transactions: number;
  /** Seconds of processor time, by process. */
  readonly cpu: Readonly<Record<string, number>>;
  readonly tables: readonly TableCost[];
  /** Of the processors' time, what the host gave to others. */
  readonly stolenShare: number;
}

interface Reading {
  readonly lsn: string;
  readonly fsyncs: number;
  readonly transactions: number;
  readonly cpu: Readonly<Record<string, number>>;
  readonly tables: ReadonlyMap<string, TableCost>;
}

/** Starts to measure; what it returns ends it. */
export async function startMeter(stage: Stage, others: Readonly<Record<string, number>>): Promise<() => Promise<Cost>> {
  await stage.admin.query("create extension if not exists pg_walinspect");
  const before = await read(stage, others);
  const began = readProcessorTime();
  return async () => {
    const stolen = stolenShare(began, readProcessorTime()) ?? 0;
    // Idle sessions hand their counts in within a second.
    await pause(1_100);
    const after = await read(stage, others);
    return {
      ...(await readWal(stage, before.lsn, after.lsn)),
      fsyncs: after.fsyncs - before.fsyncs,
      transactions: after.transactions - before.transactions,
      cpu: Object.fromEntries(
        Object.entries(after.cpu).map(([name, seconds]) => [name, seconds - (before.cpu[name] ?? 0)]),
      ),
      tables: [...after.tables.values()].map((table) => tableSince(before.tables.get(table.name), table)),
      stolenShare: stolen,
    };
  };
}

function tableSince(before: TableCost | undefined, after: TableCost): TableCost {
  if (before === undefined) return after;
  return {
    name: after.name,
    deadRows: after.deadRows,
    updates: after.updates - before.updates,
    hotUpdates: after.hotUpdates - before.hotUpdates,
    seqScans: after.seqScans - before.seqScans,
    seqRows: after.seqRows - before.seqRows,
  };
}

async function read(stage: Stage, others: Readonly<Record<string, number>>): Promise<Reading> {
  const figures = await stage.admin.query<{ lsn: string; fsyncs: number; transactions: number; postmaster: number }>(
    `select pg_current_wal_insert_lsn()::text as lsn,
       (select sum(fsyncs)::float8 from pg_stat_io where object = 'wal') as fsyncs,
       (select xact_commit::float8 from pg_stat_database where datname = current_database()) as transactions`,
  );
  const tables = await stage.admin.query<TableCost>(
    `select schemaname || '.' || relname as name, n_dead_tup::float8 as "deadRows", n_tup_upd::float8 as updates,
       n_tup_hot_upd::float8 as "hotUpdates", seq_scan::float8 as "seqScans", seq_tup_read::float8 as "seqRows"
     from pg_stat_user_tables`,
  );
  const [row] = figures.rows;
  if (row === undefined) throw new Error("PostgreSQL gave no figures");
  const processes = { ...stage.processes(), ...others };
  return {
    ...row,
    cpu: {
      ...Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, cpuMsOf(pid) / 1000])),
      postgres: cpuMsOf(stage.postgresProcessId) / 1000,
    },
    tables: new Map(tables.rows.map((table) => [table.name, table])),
  };
}

/** The stage keeps the log of a whole run, because full pages are written in the minutes after a checkpoint. */
async function readWal(stage: Stage, from: string, to: string): Promise<Pick<Cost, "walBytes" | "fullPageShare">> {
  const found = await stage.admin.query<{ bytes: bigint; share: number }>(
    `select ($2::pg_lsn - $1::pg_lsn)::bigint as bytes,
       coalesce(sum(fpi_size) / nullif(sum(combined_size), 0), 0)::float8 as share
     from pg_get_wal_stats($1::pg_lsn, $2::pg_lsn)`,
    [from, to],
  );
  return { walBytes: Number(found.rows[0]?.bytes ?? 0n), fullPageShare: found.rows[0]?.share ?? 0 };
}

/** Megabytes that the servers hold in memory. */
export function memoryOf(stage: Stage): number {
  return Object.values(stage.processes()).reduce((sum, pid) => sum + residentMb(pid), 0);
}

function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
