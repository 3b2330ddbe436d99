/**
 * What partitions by month would cost: rows of payouts, bills, events, deliveries and logged requests into tables as
 * they are, and into copies of them that are partitioned over two years, turn by turn in one run; and what is asked of
 * them most, by positions that say nothing about months, so that every partition is asked.
 *
 *   BENCH_ROUNDS   rounds of 40 batches of 256 each way, 5 unless named
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "../server/src/platform/database/migrations.ts";
import { startEmbeddedPostgres } from "../server/src/platform/embedded-postgres/start.ts";
import { batchSize, environment, type Group, groups, type Way, ways } from "./partitioned-tables.ts";
import { median, printReport } from "./report.ts";

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5);
const batches = 40;
const months = 24;
const questions = 400;

export async function benchPartitions(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "jara-bench-"));
  const postgres = await startEmbeddedPostgres({ folder: join(folder, "postgres"), settings: { max_wal_size: "4GB" } });
  await migrate(postgres.ownerUrl);
  const admin = new pg.Client({ connectionString: postgres.ownerUrl });
  await admin.connect();
  try {
    for (const way of ways) {
      await admin.query(`create schema ${way}`);
      for (const { tables } of groups) for (const one of tables) await makeTable(admin, way, one);
    }
    const measured = [];
    for (const group of groups) measured.push(await measure(admin, group));
    printReport(
      measured.flatMap(({ legs }) => legs),
      measured.flatMap(({ ratios }) => ratios),
    );
  } finally {
    await admin.end();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(admin: pg.Client, group: Group) {
  const ms = { plain: [] as number[], parted: [] as number[] };
  const wal = { plain: 0, parted: 0 };
  for (let round = 0; round < rounds; round += 1) {
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      const before = await walPosition(admin);
      ms[way].push(median(await insertBatches(admin, group, way, round)));
      wal[way] += (await walPosition(admin)) - before;
    }
  }
  const { name, question } = group;
  const found = { plain: await lookUp(admin, group, "plain"), parted: await lookUp(admin, group, "parted") };
  const legs = ways.flatMap((way) => [
    { name: `rows of ${batchSize} ${name}, ${way}`, unit: "ms", values: ms[way] },
    { name: `${name}: ${question.name}, ${way}`, unit: "ms", values: [found[way]] },
    { name: `WAL for each of ${name}, ${way}`, unit: "bytes", values: [wal[way] / (rounds * batches * batchSize)] },
  ]);
  const ratios = [
    { name: `${name}: rows, parted ÷ plain`, value: median(ms.parted) / median(ms.plain), atMost: 1.05 },
    { name: `${name}: ${question.name}, parted ÷ plain`, value: found.parted / found.plain, atMost: 1.05 },
  ];
  return { legs, ratios };
}

/** A copy with all indexes. A unique one must have the key of the partitions in it, and is unique no more without. */
async function makeTable(admin: pg.Client, way: Way, { table, key }: Group["tables"][number]): Promise<void> {
  const by = way === "plain" ? "" : `partition by range (${key})`;
  const name = `${way}.${table}`;
  const like = `like public.${table} including defaults including constraints including generated`;
  await admin.query(`create table ${name} (${like}) ${by}`);
  if (way === "parted") await makeMonths(admin, name, key);
  const indexes = await admin.query<{ definition: string }>(
    "select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = $1::regclass",
    [`public.${table}`],
  );
  for (const { definition } of indexes.rows) {
    const here = definition.replace(/^CREATE (UNIQUE )?INDEX \S+ ON public\.\S+/, (_, unique = "") =>
      way === "plain" ? `CREATE ${unique}INDEX ON ${name}` : `CREATE INDEX ON ${name}`,
    );
    await admin.query(here);
  }
}

async function makeMonths(admin: pg.Client, name: string, key: string): Promise<void> {
  const now = new Date();
  const bound = (month: number): string => {
    const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, 1));
    const hex = at.getTime().toString(16).padStart(12, "0");
    return key.endsWith("id") ? `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000` : at.toISOString();
  };
  for (let month = 2 - months; month < 2; month += 1) {
    const part = `${name}_${month + months}`;
    const span = `from ('${bound(month)}') to ('${bound(month + 1)}')`;
    await admin.query(`create table ${part} partition of ${name} for values ${span}`);
  }
}

async function insertBatches(admin: pg.Client, { tables }: Group, way: Way, round: number): Promise<number[]> {
  const took: number[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    const first = (round * batches + batch) * batchSize;
    const began = performance.now();
    await admin.query("begin");
    for (const { insert } of tables) await admin.query(insert(way, first));
    await admin.query("commit");
    took.push(performance.now() - began);
  }
  return took;
}

/** The median of many, in milliseconds. */
async function lookUp(admin: pg.Client, { name, tables, question }: Group, way: Way): Promise<number> {
  for (const { table } of tables) await admin.query(`analyze ${way}.${table}`);
  const took: number[] = [];
  for (let place = 0; place < questions; place += 1) {
    const first = 1 + ((place * 97) % (rounds * batches * batchSize - 10));
    const began = performance.now();
    const found = await admin.query({ name: `${name}-${way}`, text: question.text(way), values: [environment, first] });
    took.push(performance.now() - began);
    if (found.rows.length !== question.rows) throw new Error(`${question.name}: ${found.rows.length} rows`);
  }
  return median(took);
}

async function walPosition(admin: pg.Client): Promise<number> {
  const at = await admin.query<{ bytes: number }>("select (pg_current_wal_lsn() - '0/0')::float8 as bytes");
  return at.rows[0]?.bytes ?? 0;
}
