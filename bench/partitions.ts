/**
 * What partitions by month would cost: the rows of accepted payouts into the tables as they are, and into copies of
 * them that are partitioned over two years, turn by turn in one run; and a page of the list, whose positions say
 * nothing about months, so that every partition is asked.
 *
 *   BENCH_ROUNDS   rounds of 40 batches of 256 payouts each way, 5 unless named
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "../server/src/platform/database/migrations.ts";
import { startEmbeddedPostgres } from "../server/src/platform/embedded-postgres/start.ts";
import { median, printReport } from "./report.ts";

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5);
const batches = 40;
const batchSize = 256;
const months = 24;
const questions = 400;

/** By what each would be partitioned, and the rows that one payout leaves there when it is accepted. */
const tables = { transfers: "id", ledger_transactions: "id", entries: "posted_at" } as const;
type Table = keyof typeof tables;
const ways = ["plain", "parted"] as const;
type Way = (typeof ways)[number];

const environment = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
const account = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b12";

export async function benchPartitions(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "jara-bench-"));
  const postgres = await startEmbeddedPostgres({ folder: join(folder, "postgres"), settings: { max_wal_size: "4GB" } });
  await migrate(postgres.ownerUrl);
  const admin = new pg.Client({ connectionString: postgres.ownerUrl });
  await admin.connect();
  try {
    for (const way of ways) await makeTables(admin, way);
    const ms = { plain: [] as number[], parted: [] as number[] };
    const wal = { plain: 0, parted: 0 };
    for (let round = 0; round < rounds; round += 1) {
      for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
        const before = await walPosition(admin);
        ms[way].push(median(await insertBatches(admin, way, round)));
        wal[way] += (await walPosition(admin)) - before;
      }
    }
    const found = { plain: await lookUp(admin, "plain"), parted: await lookUp(admin, "parted") };
    const legs = ways.flatMap((way) => [
      { name: `rows of ${batchSize} payouts, ${way}`, unit: "ms", values: ms[way] },
      { name: `a page of ten payouts, ${way}`, unit: "ms", values: [found[way]] },
      { name: `WAL a payout, ${way}`, unit: "bytes", values: [wal[way] / (rounds * batches * batchSize)] },
    ]);
    printReport(legs, [
      { name: "rows, parted ÷ plain", value: median(ms.parted) / median(ms.plain), atMost: 1.05 },
      { name: "a page, parted ÷ plain", value: found.parted / found.plain, atMost: 1.05 },
    ]);
  } finally {
    await admin.end();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies with all indexes. A unique one must have the key of the partitions in it, and is unique no more without. */
async function makeTables(admin: pg.Client, way: Way): Promise<void> {
  await admin.query(`create schema ${way}`);
  for (const [table, key] of Object.entries(tables)) {
    const by = way === "plain" ? "" : `partition by range (${key})`;
    const name = `${way}.${table}`;
    await admin.query(`create table ${name} (like public.${table} including defaults including constraints) ${by}`);
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
}

async function makeMonths(admin: pg.Client, name: string, key: string): Promise<void> {
  const now = new Date();
  const bound = (month: number): string => {
    const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, 1));
    const hex = at.getTime().toString(16).padStart(12, "0");
    return key === "id" ? `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000` : at.toISOString();
  };
  for (let month = 2 - months; month < 2; month += 1) {
    const part = `${name}_${month + months}`;
    const span = `from ('${bound(month)}') to ('${bound(month + 1)}')`;
    await admin.query(`create table ${part} partition of ${name} for values ${span}`);
  }
}

async function insertBatches(admin: pg.Client, way: Way, round: number): Promise<number[]> {
  const took: number[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    const first = (round * batches + batch) * batchSize;
    const began = performance.now();
    await admin.query("begin");
    for (const table of Object.keys(tables) as Table[]) await admin.query(rowsOf[table](way, first));
    await admin.query("commit");
    took.push(performance.now() - began);
  }
  return took;
}

const series = (first: number) => `generate_series(${first + 1}, ${first + batchSize}) n`;

const rowsOf: Readonly<Record<Table, (way: Way, first: number) => string>> = {
  transfers: (way, first) => `
    insert into ${way}.transfers (environment_id, id, reference, source_account_id, account_number, account_name,
      bank_code, amount, fee, vat, stamp_duty, narration, status, version, list_position, created_at, updated_at)
    select '${environment}', uuidv7(), 'order-' || n, '${account}', '0123456789', 'ADAEZE OKAFOR', '058', 150000, 1000,
      75, 0, 'Salary November', 'pending', 1, n, now(), now() from ${series(first)}`,
  ledger_transactions: (way, first) => `
    insert into ${way}.ledger_transactions (environment_id, id, kind, resource_type, reference, posted_at)
    select '${environment}', uuidv7(), 'transfer.accepted', 'transfer', 'order-' || n, now() from ${series(first)}`,
  entries: (way, first) => `
    insert into ${way}.entries (environment_id, transaction_id, account_id, amount, balance_after, account_entry,
      posted_at)
    select '${environment}', uuidv7(), '${account}', 1, 1, n * 2 + e, now()
    from ${series(first)}, generate_series(0, 1) e`,
};

/** The median of many, in milliseconds. */
async function lookUp(admin: pg.Client, way: Way): Promise<number> {
  await admin.query(`analyze ${way}.transfers`);
  const took: number[] = [];
  for (let question = 0; question < questions; question += 1) {
    const first = 1 + ((question * 97) % (rounds * batches * batchSize - 10));
    const began = performance.now();
    const found = await admin.query({
      name: `look-up-${way}`,
      text: `select id, amount, status from ${way}.transfers
        where environment_id = $1 and list_position >= $2 and list_position <= $3
        order by list_position desc limit 100`,
      values: [environment, first, first + 9],
    });
    took.push(performance.now() - began);
    if (found.rows.length !== 10) throw new Error(`a page has ${found.rows.length} payouts`);
  }
  return median(took);
}

async function walPosition(admin: pg.Client): Promise<number> {
  const at = await admin.query<{ bytes: number }>("select (pg_current_wal_lsn() - '0/0')::float8 as bytes");
  return at.rows[0]?.bytes ?? 0;
}
