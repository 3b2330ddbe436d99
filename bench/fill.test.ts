/** A past that was made by the database itself looks like one that was lived through. */
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { verifyLedger } from "../server/src/ledger/verify.ts";
import { readEnvironment } from "../server/src/platform/database/database.ts";
import { verifyListCounts } from "../server/src/platform/records/list-counts.ts";
import { createTestApp } from "../server/testing/app.ts";
import { addEndpoint } from "../server/testing/webhooks/webhooks.ts";
import { fillPayoutList, fillPayouts } from "./fill-payouts.ts";
import { fillStatement } from "./fill-statement.ts";
import type { Payer } from "./payers.ts";

const app = await createTestApp();
const { call, db, merchant, otherMerchant, ownerUrl } = app;
const admin = new pg.Client({ connectionString: ownerUrl });
await admin.connect();
afterAll(() => admin.end());

async function payerOf({ environment, secretKey }: typeof merchant): Promise<Payer> {
  const { accountId } = (await call("GET", "/wallets/balance", { key: secretKey })).json().data;
  return { environmentId: environment.id, key: secretKey, mainWallet: accountId, wallets: [] };
}

async function totalOf(path: string, { key }: Payer): Promise<number> {
  return (await call("GET", path, { key })).json().pagination.totalItems;
}

test("payouts that are over: listed, counted, announced to their endpoint, and nothing waits", async () => {
  await addEndpoint(app, "http://localhost:9/hook", { events: ["transfer.completed"] });
  const payer = await payerOf(merchant);
  await fillPayouts({ admin }, [payer], 200);
  expect(await totalOf("/transfers", payer)).toBe(200);
  expect(await totalOf("/transfers?status=completed", payer)).toBe(200);
  expect(await totalOf("/transfers?status=failed", payer)).toBe(0);
  const deliveries = await admin.query(
    `select e.event, d.status, count(*)::integer from events e join webhook_deliveries d on d.event_id = e.id
     group by e.event, d.status`,
  );
  expect(deliveries.rows).toEqual([{ event: "transfer.completed", status: "delivered", count: 200 }]);
  expect(await readEnvironment(db, payer.environmentId, verifyListCounts)).toEqual([]);
});

test("a list alone, and a long statement whose ledger balances", async () => {
  const payer = await payerOf(otherMerchant);
  await call("POST", "/sandbox/wallets/fund", { body: { amount: 10_000 }, key: payer.key });
  await fillPayoutList({ admin }, payer, 100);
  await fillStatement({ admin }, payer, 50);
  expect(await totalOf("/transfers", payer)).toBe(100);
  expect(await totalOf("/wallets/transactions", payer)).toBe(51);
  expect(await readEnvironment(db, payer.environmentId, verifyLedger)).toEqual([]);
  expect(await readEnvironment(db, payer.environmentId, verifyListCounts)).toEqual([]);
});
