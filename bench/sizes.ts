/**
 * What an order leaves behind: the bytes of every table and index that it grows, when its whole life is over and vacuum
 * has been there. Payouts and bills go from the request to the webhook that was received; loans are paid out and age
 * for a hundred days. Then the events as archive files, the depth of indexes, and how fast the data folder is copied.
 *
 *   BENCH_ROWS   payouts, 40,000 unless named; a quarter as many bills, one in 400 as many loans
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { usualLimits } from "../server/src/archives/archive-events.ts";
import { readStored } from "../server/src/archives/archive-store.ts";
import { readEnvironment } from "../server/src/platform/database/database.ts";
import { flow } from "./flow.ts";
import { applicationOf } from "./loans.ts";
import { type Api, apiAt, createPayer, type Payer, readOperatorToken } from "./payers.ts";
import { openSink, type Sink } from "./receivers.ts";
import { openStage, type Stage } from "./stage.ts";
import { type Trade, trades } from "./trades.ts";

const payouts = Number(process.env["BENCH_ROWS"] ?? 40_000);
const longestSeconds = 3_600;

interface Size {
  readonly name: string;
  readonly rows: number;
  /** With what is stored out of line. */
  readonly table: number;
  readonly indexes: number;
}

type Sizes = ReadonlyMap<string, Size>;

export async function benchSizes(): Promise<void> {
  const stage = await openStage({ role: "all" });
  const sink = await openSink();
  try {
    const api = apiAt(stage.port);
    const payer = await createPayer(api, readOperatorToken(stage.home), 0);
    const url = `http://localhost:${sink.port}/ok/0`;
    await api.post("/webhooks/endpoints", payer.key, { url, events: ["transfer.completed", "bill.successful"] });
    let before = await measure(stage);
    for (const [name, count] of [
      ["payouts", payouts],
      ["bills", Math.ceil(payouts / 4)],
    ] as const) {
      await playOrders(stage, sink, payer, trades[name], count);
      before = tell(`${count} ${name}, each to its webhook`, count, before, await measure(stage));
    }
    const loans = Math.ceil(payouts / 400);
    await lend(api, stage, loans);
    tell(`${loans} loans of three months, paid out, aged a hundred days`, loans, before, await measure(stage));
    await tellArchive(stage, payer);
    await tellDepths(stage);
    await tellCopy(stage);
  } finally {
    sink.close();
    await stage.close();
  }
}

async function playOrders(stage: Stage, sink: Sink, payer: Payer, trade: Trade | undefined, atMost: number) {
  if (trade === undefined) throw new Error("there is no such trade");
  const { port } = stage;
  await flow({ port, trade, payers: [payer], seconds: longestSeconds, atMost }, sink, "closed");
}

/** In a sandbox whose clock stands still and is then moved. */
async function lend(api: Api, stage: Stage, count: number): Promise<void> {
  const { key } = await createPayer(api, readOperatorToken(stage.home), 0);
  await api.put("/sandbox/clock", key, { mode: "frozen" });
  for (let number = 0; number < count; number += 1) {
    await api.post("/loans/create", key, applicationOf(number, { tenure_type: "monthly", tenure: "3" }));
  }
  await api.post("/sandbox/clock/advance", key, { days: 100 });
}

/** Tables of ours; the queue of jobs and what PostgreSQL keeps for itself stay as large as they are. */
async function measure({ admin }: Stage): Promise<Sizes> {
  await admin.query("vacuum analyze");
  const found = await admin.query<Size>(`
    select c.oid::regclass::text as name, greatest(s.n_live_tup, 0)::float8 as rows,
      (pg_table_size(c.oid) - pg_relation_size(c.oid, 'fsm') - pg_relation_size(c.oid, 'vm'))::float8 as table,
      pg_indexes_size(c.oid)::float8 as indexes
    from pg_class c join pg_stat_user_tables s on s.relid = c.oid
    where c.relkind = 'r' and c.relpersistence = 'p' and s.schemaname <> 'pgboss'`);
  return new Map(found.rows.map((size) => [size.name, size]));
}

function tell(title: string, count: number, before: Sizes, after: Sizes): Sizes {
  const grown = [...after.values()].map((size) => {
    const old = before.get(size.name) ?? { rows: 0, table: 0, indexes: 0 };
    const [rows, table, indexes] = [size.rows - old.rows, size.table - old.table, size.indexes - old.indexes];
    return { name: size.name, rows: rows / count, table: table / count, indexes: indexes / count };
  });
  const shown = grown
    .filter(({ table, indexes }) => table + indexes >= 1)
    .sort((one, other) => other.table + other.indexes - one.table - one.indexes);
  console.log(`\n${title}: bytes of one\n${line("table", "rows", "table", "indexes", "together")}`);
  for (const { name, rows, table, indexes } of shown) {
    const figures = [table, indexes, table + indexes].map((bytes) => String(Math.round(bytes)));
    console.log(line(name, rows.toPrecision(3), ...figures));
  }
  const sum = shown.reduce((total, { table, indexes }) => total + table + indexes, 0);
  console.log(line("all", "", "", "", String(Math.round(sum))));
  return after;
}

function line(name: string, ...figures: readonly string[]): string {
  return [name.padEnd(34), ...figures.map((figure) => figure.padStart(10))].join("");
}

/** As a worker writes them, though these are of today. */
async function tellArchive({ db }: Stage, { environmentId }: Payer): Promise<void> {
  const events = await readEnvironment(db, environmentId, (tx) => readStored(tx, 0n, usualLimits.events));
  const text = Buffer.from(events.map(({ line: one }) => `${one}\n`).join(""));
  const packed = gzipSync(text).length;
  const each = (bytes: number) => Math.round(bytes / events.length);
  console.log(`\nan archived event: ${each(text.length)} bytes, compressed ${each(packed)} (of ${events.length})`);
}

async function tellDepths({ admin }: Stage): Promise<void> {
  await admin.query("create extension if not exists pageinspect");
  const found = await admin.query<{ name: string; tuples: number; pages: number; level: number }>(`
    select c.relname as name, c.reltuples::float8 as tuples, c.relpages as pages, m.level::integer as level
    from pg_class c join pg_am a on a.oid = c.relam and a.amname = 'btree', lateral bt_metap(c.oid::regclass::text) m
    where c.relnamespace = 'public'::regnamespace and c.relpages > 200 order by c.relpages desc`);
  console.log(`\n${line("index", "entries", "a page", "levels")}`);
  for (const { name, tuples, pages, level } of found.rows) {
    console.log(line(name, String(Math.round(tuples)), String(Math.round(tuples / pages)), String(level + 1)));
  }
}

/** What a base backup does with its files, on this disk. */
async function tellCopy({ home, admin }: Stage): Promise<void> {
  await admin.query("checkpoint");
  const size = await admin.query<{ bytes: number }>(
    "select sum(pg_database_size(oid))::float8 as bytes from pg_database",
  );
  const target = await mkdtemp(join(tmpdir(), "jara-bench-copy-"));
  try {
    const began = performance.now();
    await cp(join(home, "postgres"), target, { recursive: true });
    const seconds = (performance.now() - began) / 1_000;
    const megabytes = (size.rows[0]?.bytes ?? 0) / 1024 / 1024;
    console.log(
      `\n${Math.round(megabytes)} MiB of databases copied in ${seconds.toPrecision(3)} s with the log of changes`,
    );
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}
