/**
 * A worker's steps find their rows by key, whatever the tables looked like when PostgreSQL planned them: the plans are
 * made on a connection while there is next to nothing, and kept. Filtered lists read what matches, and little more.
 */
import { sql } from "kysely";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { kobo } from "../../server/src/money/kobo.ts";
import {
  createDatabase,
  createPool,
  type Database,
  inEnvironment,
  inTransaction,
  type PlainTx,
  type Tx,
} from "../../server/src/platform/database/database.ts";
import { sequenceEvents } from "../../server/src/platform/records/sequencer.ts";
import { claimOrders, findWaitingLanes } from "../../server/src/rails/order-queue.ts";
import {
  findTransfer,
  findTransfers,
  listTransfers,
  moveTransfers,
  startSending,
  type TransferQuestion,
  transferQueue,
} from "../../server/src/transfers/payouts/transfer-store.ts";
import { createPayouts } from "../../server/testing/payments/payouts.ts";

const { appUrl, ownerUrl, openSandbox } = await createPayouts();
const db = createDatabase(createPool({ url: appUrl, poolSize: 1 }));
const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
afterAll(() => Promise.all([db.destroy(), owner.end()]));

const many = 3_000;

/** Rows that this transaction has read so far. */
async function rowsRead(tx: PlainTx, table: string): Promise<number> {
  const found = await sql<{ rows: number }>`
    select (seq_tup_read + idx_tup_fetch)::float8 as rows from pg_stat_xact_user_tables
    where relname = ${table}`.execute(tx);
  return found.rows[0]?.rows ?? 0;
}

/** Payouts that are over, with their events, which PostgreSQL has not looked at yet. */
async function fill(environmentId: string): Promise<void> {
  await owner.query(
    `insert into transfers (environment_id, id, reference, source_account_id, account_number, bank_code, amount, fee,
       vat, stamp_duty, status, list_position, created_at, updated_at, completed_at)
     select $1, gen_random_uuid(), 'old-' || n, $1, '0123456789', '058', 1, 0, 0, 0, 'completed', -n, now(), now(),
       now()
     from generate_series(1, $2::integer) n`,
    [environmentId, many],
  );
  await owner.query(
    `insert into events (environment_id, id, event, resource_type, resource_id, resource_version, data, created_at,
       list_position)
     select $1, gen_random_uuid(), 'transfer.completed', 'transfer', gen_random_uuid(), 1, '{}', now(), -n
     from generate_series(1, $2::integer) n`,
    [environmentId, many],
  );
  await owner.query("select catch_up_list_counts()");
}

/** Takes a payout through its steps and returns how many rows each of them read. */
async function readSteps(on: Database, environmentId: string, ids: readonly string[]): Promise<Record<string, number>> {
  const read: Record<string, number> = {};
  const [named = "", unnamed = ""] = ids;
  await inEnvironment(on, environmentId, async (tx) => {
    expect(await findTransfer(tx, named)).toBeDefined();
    read["find"] = await rowsRead(tx, "transfers");
  });
  await inEnvironment(on, environmentId, async (tx) => {
    expect((await findTransfers(tx, ids)).size).toBe(ids.length);
    read["find several"] = await rowsRead(tx, "transfers");
  });
  await inEnvironment(on, environmentId, async (tx) => {
    const started = [named, unnamed].map((id, place) => {
      return { id, accountName: "ADA", sessionId: `${Date.now()}${place}`.padStart(30, "9"), connectionId: null };
    });
    expect((await startSending(tx, started)).size).toBe(2);
    read["start"] = await rowsRead(tx, "transfers");
  });
  await inTransaction(on, async (tx) => {
    await findWaitingLanes(tx, transferQueue, "SANDBOX");
    const lane = { environmentId, counterparty: "058", take: 50 };
    const claimed = await claimOrders(tx, transferQueue, [lane]);
    expect(claimed.map(({ order }) => order.id)).toContain(named);
    read["claim"] = await rowsRead(tx, "transfers");
  });
  await inEnvironment(on, environmentId, async (tx) => {
    const moved = await moveTransfers(tx, [{ id: named, from: "processing", to: "completed", failure: null }]);
    expect(moved.size).toBe(1);
    read["settle"] = await rowsRead(tx, "transfers");
    await sql`
      insert into events (environment_id, id, event, resource_type, resource_id, resource_version, data, created_at)
      values (${environmentId}, gen_random_uuid(), 'transfer.completed', 'transfer', ${named}, 3, '{}', now())`.execute(
      tx,
    );
  });
  await inTransaction(on, async (tx) => {
    expect(await sequenceEvents(tx)).toBeGreaterThan(0);
    read["sequence"] = await rowsRead(tx, "events");
  });
  return read;
}

test("a step reads as few rows in a full table as when its plan was made", async () => {
  const { environmentId, pay } = await openSandbox();
  const payTwo = async (n: number) => [(await pay(`one-${n}`)).id, (await pay(`other-${n}`)).id];
  for (let n = 0; n < 7; n += 1) await readSteps(db, environmentId, await payTwo(n));
  await fill(environmentId);
  const read = await readSteps(db, environmentId, await payTwo(99));
  for (const [step, rows] of Object.entries(read)) expect({ step, few: rows < 100, rows }).toMatchObject({ few: true });
});

const anything: TransferQuestion = {
  reference: null,
  statuses: null,
  bankCode: null,
  minAmount: null,
  maxAmount: null,
  from: null,
  to: null,
};

test.each([
  ["a bank", { bankCode: "044" }],
  ["an amount", { minAmount: kobo(5_000n), maxAmount: kobo(5_000_000_00n) }],
  ["two statuses", { statuses: ["pending", "failed"] }],
  ["bank, amount and statuses", { bankCode: "044", minAmount: kobo(2n), statuses: ["pending", "completed"] }],
  ["a day", { from: new Date("2040-01-01"), to: new Date("2040-01-02") }],
] satisfies readonly (readonly [string, Partial<TransferQuestion>])[])(
  "a list by %s does not read the whole table",
  async (_, asked) => {
    const { environmentId, pay } = await openSandbox();
    await pay("waits", { bankCode: "044" });
    await fill(environmentId);
    await owner.query("analyze transfers");
    const filter = { ...anything, ...asked };
    await inEnvironment(db, environmentId, async (tx) => {
      const { rows: page, total } = await listTransfers(tx, filter, { page: 1, limit: 10 });
      expect(page).toHaveLength(Number(total));
      const rows = await rowsRead(tx, "transfers");
      expect({ few: rows < 100, rows }).toMatchObject({ few: true });
    });
  },
);

/** Payouts that are over, one every 10 seconds up to now, every 1,000th of them failed. */
async function fillBack(environmentId: string, rows: number): Promise<void> {
  await owner.query(
    `insert into transfers (environment_id, id, reference, source_account_id, account_number, bank_code, amount, fee,
       vat, stamp_duty, status, list_position, created_at, updated_at, completed_at)
     select $1, uuidv7(make_interval(secs => -10 * n)), 'back-' || n, $1, '0123456789', '058', 1, 0, 0, 0,
       case when n % 1000 = 0 then 'failed' else 'completed' end, -n, t.at, t.at, t.at
     from generate_series(1, $2::integer) n, lateral (select now() - make_interval(secs => 10 * n)) as t (at)`,
    [environmentId, rows],
  );
}

async function countPlainly(tx: Tx, { statuses, from, to }: TransferQuestion): Promise<bigint | undefined> {
  const counted = await sql<{ total: bigint }>`select count(*) as total from transfers
    where environment_id = ${tx.environment.id} and status = any (${statuses ?? ["pending", "completed", "failed"]})
      and created_at >= ${from ?? hoursAgo(9_999)} and created_at < ${to ?? hoursAgo(-1)}`.execute(tx);
  return counted.rows[0]?.total;
}

let longAndShort: Promise<string[]> | undefined;

async function fillLists(): Promise<string[]> {
  const environments: string[] = [];
  for (const rows of [2_000, 60_000]) {
    const { environmentId, pay } = await openSandbox();
    await pay("waits");
    await fillBack(environmentId, rows);
    environments.push(environmentId);
  }
  await owner.query("select catch_up_list_counts()");
  await owner.query("select fold_list_counts()");
  await owner.query("vacuum analyze transfers, list_counts, list_count_deltas");
  return environments;
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

test.each([
  ["a status", { statuses: ["completed"] }],
  ["a status that few have", { statuses: ["failed"] }],
  ["three statuses", { statuses: ["pending", "completed", "failed"] }],
  ["a time on", { from: hoursAgo(2) }],
  ["a time up to", { to: hoursAgo(1) }],
  ["a span", { from: hoursAgo(4), to: hoursAgo(1) }],
  ["a span and a status", { from: hoursAgo(4), to: hoursAgo(1), statuses: ["completed"] }],
] satisfies readonly (readonly [string, Partial<TransferQuestion>])[])(
  "a list by %s reads of 60,000 about what it reads of 2,000",
  async (_, asked) => {
    longAndShort ??= fillLists();
    const filter = { ...anything, ...asked };
    const read: number[] = [];
    for (const environmentId of await longAndShort) {
      await inEnvironment(db, environmentId, async (tx) => {
        // What the connection read before may not be written down yet.
        const soFar = async () => (await rowsRead(tx, "transfers")) + (await rowsRead(tx, "list_counts"));
        const before = await soFar();
        const { rows: page, total } = await listTransfers(tx, filter, { page: 1, limit: 10 });
        read.push((await soFar()) - before);
        expect(page).toHaveLength(Math.min(Number(total), 10));
        expect(total).toBe(await countPlainly(tx, filter));
      });
    }
    const [few = 0, many = 0] = read;
    expect({ few, many, alike: many <= 3 * few + 100 && many < 1_000 }).toMatchObject({ alike: true });
  },
);
