/**
 * A reset sandbox is a new sandbox. Both are read from the tables, which are found in the catalogue, so that what
 * somebody adds later is compared too.
 */
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { createMerchant, type TestMerchant } from "../../testing/factories.ts";
import { readTenantTables, sampleInsert } from "../../testing/platform/tenant-samples.ts";

/** Without the log of requests: the reset itself is the first line of the new one. */
const { db, call, ownerUrl } = await createTestApp({ requestLogDays: 0 });
const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
afterAll(() => owner.end());

const tenantTables = await readTenantTables(owner);

/** Two sandboxes differ in their ids, moments, secrets and account numbers, and in nothing else. */
function withoutChance(row: unknown): string {
  return JSON.stringify(row)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "id")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(\+00:00|Z)/g, "moment")
    .replaceAll(/\\\\x[0-9a-f]*/g, "bytes")
    .replaceAll(/sk_(test|live)_\w+/g, "key")
    .replaceAll(/"\d{10}"/g, '"account"')
    .replaceAll(/"(sequence|transaction_number)":\s*\d+/g, '"$1":0');
}

async function contentOf(environmentId: string): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const { name: table, tenant: column } of tenantTables) {
    const { rows } = await owner.query<{ row: unknown }>(
      `select to_jsonb(t) as row from ${table} t where ${column} = $1`,
      [environmentId],
    );
    content[table] = rows.map(({ row }) => withoutChance(row)).sort();
  }
  return content;
}

/** Rows that need no parents, in every table of tenants that has none yet. */
async function plant(environmentId: string): Promise<void> {
  await owner.query("begin; set local session_replication_role = replica");
  for (const table of tenantTables) {
    const found = await owner.query(`select from ${table.name} where ${table.tenant} = $1 limit 1`, [environmentId]);
    if (found.rowCount === 0) await owner.query(sampleInsert(table, environmentId));
  }
  await owner.query("commit");
}

/** Something of everything that is simulated. */
async function play({ secretKey: key }: TestMerchant): Promise<void> {
  const post = async (path: string, body: unknown) =>
    expect((await call("POST", path, { key, body })).statusCode).toBe(201);
  await post("/sandbox/wallets/fund", { amount: 100_000 });
  await post("/wallets/sub-accounts", { accountName: "Till" });
  const payout = { accountNumber: "0690000032", bankCode: "044", amount: 100, currency: "NGN" };
  await post("/transfers", { ...payout, reference: "lost_PENDING" });
  const airtime = { network: "MTN", phoneNumber: "08031234567", amount: 100 };
  await post("/bills/airtime/vend", { ...airtime, reference: "lost_PENDING" });
  await call("PUT", "/sandbox/banks/058/health", { key, body: { status: "down" } });
  await call("PUT", "/sandbox/clock", { key, body: { mode: "frozen", now: "2030-01-01T00:00:00.000Z", seed: "a" } });
}

test("a sandbox that was emptied has in every table exactly what a new one has", async () => {
  const used = await createMerchant(db);
  await play(used);
  await plant(used.environment.id);
  const before = await contentOf(used.environment.id);
  const empty = Object.entries(before).filter(([, rows]) => rows.length === 0);
  expect(empty).toEqual([]);
  expect((await call("POST", "/sandbox/reset", { key: used.secretKey })).statusCode).toBe(200);
  // The key was used, which is all that it remembers.
  const fresh = await createMerchant(db);
  await call("GET", "/wallets/balance", { key: fresh.secretKey });
  const [after, expected] = await Promise.all([contentOf(used.environment.id), contentOf(fresh.environment.id)]);
  expect(after).toEqual(expected);
});
