import { beforeEach, describe, expect, test } from "vitest";
import { type CallOptions, createTestApp } from "../../testing/app.ts";
import { createMerchant, type TestMerchant } from "../../testing/factories.ts";
import { issueKeyFor, issueLiveKeyFor } from "../../testing/keys.ts";
import { verifyLedger } from "../ledger/verify.ts";
import { readEnvironment } from "../platform/database/database.ts";
import { createEnvironmentLocks } from "../platform/time/environment-lock.ts";

const { db, call, rails, appUrl } = await createTestApp();
const { simulatedBank } = rails;
let merchant: TestMerchant;

beforeEach(async () => {
  merchant = await createMerchant(db);
});

async function send(method: string, path: string, options: Omit<CallOptions, "key"> & { key?: string } = {}) {
  const reply = await call(method, path, { key: merchant.secretKey, ...options });
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers };
}

const reset = (options: Omit<CallOptions, "key"> & { key?: string } = {}) => send("POST", "/sandbox/reset", options);
const fund = () => send("POST", "/sandbox/wallets/fund", { body: { amount: 5000 } });
const openSubAccount = (headers = {}) =>
  send("POST", "/wallets/sub-accounts", { body: { accountName: "Till", externalId: "till-1" }, headers });

async function available(key = merchant.secretKey): Promise<unknown> {
  return (await send("GET", "/wallets/balance", { key })).body.data.available;
}

describe("POST /sandbox/reset", () => {
  test("brings the sandbox back to its first moment and leaves its keys", async () => {
    await fund();
    const first = await openSubAccount();
    await send("PUT", "/sandbox/clock", { body: { mode: "frozen", now: "2030-01-01T00:00:00.000Z" } });
    await simulatedBank.conditions.set(merchant.environment.id, "000013", "down");
    const done = await reset();
    expect(done).toMatchObject({ status: 200, body: { status: true, message: "Sandbox emptied" } });
    expect(done.body.data.removed).toBeGreaterThan(0);
    expect(Math.abs(Date.parse(done.body.data.resetAt) - Date.now())).toBeLessThan(60_000);
    expect(await available()).toBe(0);
    expect((await send("GET", "/wallets/sub-accounts")).body.data).toEqual([]);
    expect((await send("GET", "/sandbox/clock")).body.data).toMatchObject({ mode: "running", seed: null });
    expect(await simulatedBank.conditions.of(merchant.environment.id, "000013")).toBe("up");
    // The merchant's own name for a sub-account is free again.
    const second = await openSubAccount();
    expect(second.status).toBe(201);
    expect(second.body.data.id).not.toBe(first.body.data.id);
    expect(await readEnvironment(db, merchant.environment.id, verifyLedger)).toEqual([]);
  });

  test("can be called again and again", async () => {
    for (const _ of [1, 2, 3]) expect((await reset()).status).toBe(200);
    await fund();
    expect(await available()).toBe(5_000);
  });

  test("leaves other merchants alone", async () => {
    const other = await createMerchant(db);
    await send("POST", "/sandbox/wallets/fund", { body: { amount: 700 }, key: other.secretKey });
    await reset();
    expect(await available(other.secretKey)).toBe(700);
  });

  test("is replayed under its Idempotency-Key and does not empty a second time", async () => {
    const headers = { "idempotency-key": "start-over" };
    const first = await reset({ headers });
    await fund();
    const second = await reset({ headers });
    expect(second.body).toEqual(first.body);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(await available()).toBe(5_000);
  });

  test("forgets the replies that were kept before it", async () => {
    const headers = { "idempotency-key": "open-the-till" };
    const first = await openSubAccount(headers);
    await reset();
    const second = await openSubAccount(headers);
    expect(second.status).toBe(201);
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });

  test("lets one of two at the same time through, or both in turn", async () => {
    const replies = await Promise.all([reset(), reset()]);
    for (const reply of replies) expect([200, 409]).toContain(reply.status);
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(await available()).toBe(0);
  });

  test("is refused while the clock is being moved", async () => {
    const locks = createEnvironmentLocks({ url: appUrl });
    const reply = await locks.hold(merchant.environment.id, () => reset());
    await locks.close();
    expect(reply).toMatchObject({ status: 409, body: { code: "clock_moving" } });
  });

  test("refuses a live key, and a key without the scope", async () => {
    const live = await issueLiveKeyFor(db, merchant.merchant.id);
    expect(await reset({ key: live })).toMatchObject({ status: 403, body: { code: "sandbox_only" } });
    const reader = await issueKeyFor(db, merchant.environment.id, { scopes: ["sandbox:read"] });
    expect(await reset({ key: reader })).toMatchObject({ status: 403, body: { code: "scope_missing" } });
  });
});
