/**
 * Tables are found in the catalogue, so one that somebody adds later is proved too, or fails here for want of a sample.
 */
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createMerchant, testOrigin } from "../../../testing/factories.ts";
import { createPayouts } from "../../../testing/payments/payouts.ts";
import { readTenantTables, sampleInsert } from "../../../testing/platform/tenant-samples.ts";
import { eventually } from "../../../testing/work.ts";
import { addEnvironment } from "../../merchants/add-environment.ts";
import { openEnvironment } from "../../start/open-environment.ts";
import {
  besideEnvironment,
  createDatabase,
  createPool,
  type Database,
  inEnvironment,
  operatorScope,
  type Tx,
} from "../database/database.ts";
import { resetSandbox } from "./reset-sandbox.ts";

const { db, bank, appUrl, ownerUrl, openSandbox } = await createPayouts();
const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
afterAll(() => owner.end());

const tables = await readTenantTables(owner);
const kept = new Set(["public.api_keys", "public.environment_clocks", "public.list_counters"]);
let mine: string;

beforeEach(async () => {
  mine = (await createMerchant(db)).environment.id;
});

/** Sample rows need no parents. */
async function plantSamples(environmentId: string): Promise<void> {
  await owner.query("begin; set local session_replication_role = replica");
  for (const table of tables) {
    const found = await owner.query(`select from ${table.name} where ${table.tenant} = $1 limit 1`, [environmentId]);
    if (found.rowCount === 0) await owner.query(sampleInsert(table, environmentId));
  }
  await owner.query("insert into pgboss.job (name, data, group_id) values ('__pgboss__send-it', '{}', $1)", [
    environmentId,
  ]);
  await owner.query("commit");
}

async function contents(environmentId: string): Promise<Record<string, string[]>> {
  const read: Record<string, string[]> = {};
  for (const { name, tenant } of tables) {
    const found = await owner.query<{ line: string }>(
      `select t::text as line from ${name} t where ${tenant} = $1 order by 1`,
      [environmentId],
    );
    read[name] = found.rows.map((row) => row.line);
  }
  const jobs = await owner.query<{ line: string }>("select id::text as line from pgboss.job where group_id = $1", [
    environmentId,
  ]);
  return { ...read, jobs: jobs.rows.map((row) => row.line) };
}

function reset(environmentId: string) {
  return besideEnvironment(db, environmentId, async (tx) => (await resetSandbox(tx)).removed);
}

test("a reset empties every tenant table but keys, clock and the counter of the keys, and drops the jobs", async () => {
  await plantSamples(mine);
  const before = await contents(mine);
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
  expect(await reset(mine)).toBeGreaterThan(0n);
  const after = await contents(mine);
  const left = Object.entries(after).filter(([name, rows]) => rows.length > 0 && !kept.has(name));
  expect(left).toEqual([]);
  expect(after["public.api_keys"]).toEqual(before["public.api_keys"]);
  expect(after["public.list_counters"]).toEqual([`(${mine},api_keys,1)`]);
});

test("a reset leaves every other environment as it was", async () => {
  const theirs = (await createMerchant(db)).environment.id;
  await plantSamples(mine);
  await plantSamples(theirs);
  const before = await contents(theirs);
  await reset(mine);
  expect(await contents(theirs)).toEqual(before);
});

test("a reset sets the clock to real time and forgets its seed", async () => {
  await sql`select set_environment_clock(${mine}::uuid, 'frozen', '2030-01-01', 'seed', false)`.execute(db);
  await inEnvironment(db, mine, async (tx) => void tx);
  const emptied = await besideEnvironment(db, mine, resetSandbox);
  expect(emptied.emptied.environment.clock.mode).toBe("running");
  const clock = await owner.query(
    "select mode, offset_ms::int, frozen_at, seed, transaction_number::int, resumes from environment_clocks where environment_id = $1",
    [mine],
  );
  expect(clock.rows).toEqual([
    { mode: "running", offset_ms: 0, frozen_at: null, seed: null, transaction_number: 0, resumes: false },
  ]);
});

describe("the database refuses to reset", () => {
  const restricted = expect.objectContaining({ code: "23001" });

  test("a live environment", async () => {
    const { merchant } = await createMerchant(db);
    const live = await inEnvironment(db, operatorScope, (tx) =>
      addEnvironment(tx, {
        merchantId: merchant.id,
        kind: "LIVE",
        name: "Live",
        origin: testOrigin,
        environmentOpened: openEnvironment,
      }),
    );
    const before = await contents(live.id);
    await expect(reset(live.id)).rejects.toEqual(restricted);
    expect(await contents(live.id)).toEqual(before);
  });

  test("an environment that does not exist", async () => {
    await expect(reset("01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11")).rejects.toEqual(restricted);
  });

  test("another environment than the one that was entered", async () => {
    const theirs = (await createMerchant(db)).environment.id;
    const across = besideEnvironment(db, mine, (tx) => sql`select reset_sandbox(${theirs}::uuid)`.execute(tx));
    await expect(across).rejects.toEqual(expect.objectContaining({ code: "42501" }));
  });

  test("and the application still cannot delete from the ledger itself", async () => {
    const deleting = inEnvironment(db, mine, (tx) => sql`delete from entries`.execute(tx));
    await expect(deleting).rejects.toEqual(expect.objectContaining({ code: "42501" }));
  });
});

test.each(["this process", "another process"])(
  "a reset in %s waits for writers that are half-way, and writers wait for it without a connection",
  async (where) => {
    const resetting = where === "this process" ? { db, alone: true } : { db: openOtherProcess(), alone: false };
    const steps: string[] = [];
    const finished = Promise.withResolvers<void>();
    const writer = inEnvironment(db, mine, async () => {
      steps.push("first writes");
      await finished.promise;
      steps.push("first is done");
    });
    await eventually("the first writer is inside", () => steps.length === 1);
    // Noted before COMMIT: afterwards the writer that it lets go could be heard first.
    const noteReset = async (tx: Tx): Promise<void> => {
      await resetSandbox(tx);
      steps.push("reset");
    };
    const reset = besideEnvironment(resetting.db, mine, noteReset, { alone: resetting.alone });
    if (!resetting.alone) await eventually("the reset waits", () => waitsAtGate(1));
    // More than the pool has connections.
    const later = Array.from({ length: 15 }, () =>
      inEnvironment(db, mine, async () => void steps.push("writes later")),
    );
    const theirs = (await createMerchant(db)).environment.id;
    for (let n = 0; n < 20; n += 1) await inEnvironment(db, theirs, async () => undefined);
    expect(steps).toEqual(["first writes"]);
    expect(await waitsAtGate(resetting.alone ? 0 : 1)).toBe(true);
    finished.resolve();
    await Promise.all([writer, reset, ...later]);
    expect(steps).toEqual(["first writes", "first is done", "reset", ...later.map(() => "writes later")]);
  },
);

function openOtherProcess(): Database {
  const other = createDatabase(createPool({ url: appUrl, poolSize: 2 }));
  onTestFinished(() => other.destroy());
  return other;
}

async function waitsAtGate(waiting: number): Promise<boolean> {
  const found = await owner.query(
    `select from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return found.rowCount === waiting;
}

test("after a reset the ledger is intact, both books are empty and references can be used again", async () => {
  const sandbox = await openSandbox();
  const { environmentId } = sandbox;
  const first = await sandbox.pay("again");
  await sandbox.pay("open_PENDING");
  await sandbox.worker(bank.rail).round();
  await besideEnvironment(db, environmentId, async (tx) => openEnvironment((await resetSandbox(tx)).emptied));
  expect(await sandbox.differences()).toEqual([]);
  expect(await sandbox.balance()).toBe(0n);
  expect(await sandbox.truths()).toEqual({ ours: 0n, theirs: 0n });
  await expect(sandbox.read(first.id)).rejects.toThrow("does not exist");
  await sandbox.fund();
  const second = await sandbox.pay("again");
  expect(second.id).not.toBe(first.id);
  await sandbox.worker(bank.rail).round();
  expect((await sandbox.read(second.id)).status).toBe("completed");
  expect(await sandbox.truths()).toEqual({ ours: 100_000n, theirs: 100_000n });
  expect(await sandbox.differences()).toEqual([]);
});

test("a reset amid payouts leaves an intact ledger and no payout without its money", async () => {
  const sandbox = await openSandbox();
  const { environmentId } = sandbox;
  const worker = sandbox.worker(bank.rail);
  const paying = Array.from({ length: 60 }, (_, n) => sandbox.pay(`amid-${n}`).then(() => worker.round()));
  const resetting = besideEnvironment(db, environmentId, async (tx) =>
    openEnvironment((await resetSandbox(tx)).emptied),
  );
  await Promise.allSettled([...paying, resetting]);
  await resetting;
  expect(await sandbox.differences()).toEqual([]);
  const unbacked = await owner.query(
    `select t.id from transfers t where t.environment_id = $1 and not exists (
       select from ledger_transactions l where l.environment_id = t.environment_id and l.resource_id = t.id)`,
    [environmentId],
  );
  expect(unbacked.rows).toEqual([]);
});
