/** Where the database spent its time and its log: the statements by time, and tables and indexes by bytes of WAL. */
import { writeFileSync } from "node:fs";
import type { Stage } from "./stage.ts";

export async function writeProfile(stage: Stage, file: string): Promise<void> {
  const statements = await stage.admin.query(
    `select round(total_exec_time::numeric) as ms, calls::float8, rows::float8,
       round(mean_exec_time::numeric, 3) as mean_ms, wal_bytes,
       left(regexp_replace(query, '\\s+', ' ', 'g'), 160) as query
     from pg_stat_statements order by total_exec_time desc limit 40`,
  );
  writeFileSync(
    file,
    [
      "ms\tcalls\trows\tmean ms\tWAL\tstatement",
      ...statements.rows.map((row) => Object.values(row).join("\t")),
      "",
      "WAL\trecords\tkind, since the last checkpoint",
      ...(await readWalByKind(stage)),
      "",
      "WAL\trecords\tdata\tkind\ttable or index",
      ...(await readWalByTable(stage)),
      "",
    ].join("\n"),
  );
}

/** Since the last checkpoint. What autovacuum writes is in no statement. */
async function readWalByKind(stage: Stage): Promise<string[]> {
  const found = await stage.admin.query(
    `select s.combined_size as bytes, s.count, s."resource_manager/record_type" as kind
     from pg_control_checkpoint() c, pg_get_wal_stats(c.redo_lsn, pg_current_wal_flush_lsn(), true) s
     where s.count > 0 order by 1 desc limit 40`,
  );
  return found.rows.map((row) => Object.values(row).join("\t"));
}

/** The last stretch only: to look into more of the log takes longer than to write it. A record counts for one block. */
async function readWalByTable(stage: Stage): Promise<string[]> {
  const found = await stage.admin.query(
    `with stretch as (
       select greatest(pg_current_wal_flush_lsn() - 40000000::numeric, '0/1000028'::pg_lsn) as first,
         pg_current_wal_flush_lsn() as last
     ), blocks as (
       select distinct on (b.start_lsn) b.start_lsn, b.relfilenode, b.record_type, b.resource_manager,
         b.record_length, b.main_data_length + coalesce(b.block_data_length, 0) as data
       from stretch s, pg_get_wal_block_info(s.first, s.last) as b
       order by b.start_lsn, b.block_id
     )
     select sum(b.record_length)::bigint as bytes, count(*) as records, sum(b.data)::bigint as data,
       b.resource_manager || ' ' || b.record_type as kind, coalesce(c.relname, '?') as name
     from blocks b left join pg_class c on pg_relation_filenode(c.oid) = b.relfilenode
     group by 4, 5 order by 1 desc limit 70`,
  );
  return found.rows.map((row) => Object.values(row).join("\t"));
}
