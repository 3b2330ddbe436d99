import { beforeEach, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { createMerchant, type TestMerchant } from "../../testing/factories.ts";
import { verifyLedger } from "../ledger/verify.ts";
import { inEnvironment } from "../platform/database/database.ts";
import { mainWalletId } from "./wallet.ts";

const testing = await createTestApp();
const { db, call, operate } = testing;

let merchant: TestMerchant;
let main: string;

beforeEach(async () => {
  merchant = await createMerchant(db);
  main = mainWalletId(merchant.environment.id);
});

const body = { amount: 500, reference: "inflow-1", reason: "Inflow of 3 November" };
const credit = (change: object = {}, id = main) =>
  operate("POST", `/operator/wallets/${id}/credit`, { ...body, ...change });
const debit = (change: object = {}, id = main) =>
  operate("POST", `/operator/wallets/${id}/debit`, { ...body, ...change });
const available = async () =>
  (await call("GET", "/wallets/balance", { key: merchant.secretKey })).json().data.available;
const eventCount = async () =>
  (
    await inEnvironment(db, merchant.environment.id, (tx) =>
      tx.selectFrom("events").select("event").where("event", "=", "wallet.credited").execute(),
    )
  ).length;
const audited = async () =>
  (await operate("GET", "/operator/audit?limit=100"))
    .json()
    .data.filter((entry: { subjectId: string }) => entry.subjectId === main);

test("a credit puts money in, is announced to the merchant and written into the audit trail", async () => {
  const reply = await credit();
  expect(reply.statusCode).toBe(201);
  const { data } = reply.json();
  expect(data).toMatchObject({
    accountId: main,
    type: "wallet.operator_credited",
    direction: "credit",
    amount: 500,
    balanceAfter: 500,
    narration: "Inflow of 3 November",
    resource: { type: "wallet_movement", reference: "inflow-1" },
  });
  expect([await available(), await eventCount()]).toEqual([500, 1]);
  expect(await audited()).toMatchObject([
    {
      action: "wallet.credit",
      subjectType: "wallet",
      environmentId: merchant.environment.id,
      detail: { amount: "500.00", reference: "inflow-1", reason: "Inflow of 3 November", movementId: data.id },
    },
  ]);
});

test("a debit takes money out without an event, and is audited", async () => {
  await credit();
  const reply = await debit({ amount: 499.99, reference: "outflow-1" });
  expect(reply.json().data).toMatchObject({ type: "wallet.operator_debited", direction: "debit", balanceAfter: 0.01 });
  expect([await available(), await eventCount()]).toEqual([0.01, 1]);
  expect((await audited()).map((entry: { action: string }) => entry.action)).toEqual(["wallet.debit", "wallet.credit"]);
  expect(await inEnvironment(db, merchant.environment.id, verifyLedger)).toEqual([]);
});

test("a debit below zero is refused, leaves no audit entry and its reference free", async () => {
  const reply = await debit({ reference: "outflow-1" });
  expect([reply.statusCode, reply.json().code]).toEqual([422, "insufficient_funds"]);
  expect(await audited()).toEqual([]);
  await credit();
  expect((await debit({ reference: "outflow-1" })).statusCode).toBe(201);
});

test("the same reference finds the first line again, other content is a conflict", async () => {
  const first = await credit();
  await credit({ reference: "inflow-2" });
  const again = await credit();
  expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
  expect(again.json().data).toEqual(first.json().data);
  const other = await debit({ amount: 400, reason: "Another" });
  expect([other.statusCode, other.json().code]).toEqual([409, "reference_conflict"]);
  expect(other.json().data).toEqual({ fields: ["direction", "amount", "reason"] });
  expect((await credit({ amount: 400 })).json().data).toEqual({ fields: ["amount"] });
  expect(await available()).toBe(1_000);
  expect(await audited()).toHaveLength(2);
  const out = { amount: 100, reference: "out-1" };
  const taken = await debit(out);
  const repeated = await debit(out);
  expect([repeated.statusCode, repeated.json().data]).toEqual([200, taken.json().data]);
  expect(await available()).toBe(900);
});

test("of twenty twins at once one credits and the others find it", async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => credit()));
  expect(replies.map((reply) => reply.statusCode).sort()).toEqual([...Array(19).fill(200), 201]);
  expect([await available(), await eventCount()]).toEqual([500, 1]);
  expect(await audited()).toHaveLength(1);
});

test("a reference belongs to its environment: another merchant's wallet can have the same", async () => {
  await credit();
  expect((await credit({}, mainWalletId(testing.otherMerchant.environment.id))).statusCode).toBe(201);
});

test("an Idempotency-Key replays the first reply", async () => {
  const send = () => operate("POST", `/operator/wallets/${main}/credit`, body, { "idempotency-key": `credit-${main}` });
  const first = await send();
  const again = await send();
  expect([again.statusCode, again.body]).toEqual([201, first.body]);
  expect(await available()).toBe(500);
});

test("in a frozen sandbox a correction takes ids of its own", async () => {
  const now = "2026-11-01T08:00:00Z";
  const { secretKey: key } = merchant;
  await call("PUT", "/sandbox/clock", { key, body: { mode: "frozen", now, seed: "s" } });
  await call("POST", "/sandbox/wallets/fund", { key, body: { amount: 1 } });
  expect((await credit()).json().data).toMatchObject({ balanceAfter: 501, createdAt: "2026-11-01T08:00:00.000Z" });
  expect((await credit({ reference: "inflow-2" })).statusCode).toBe(201);
  expect((await call("POST", "/sandbox/wallets/fund", { key, body: { amount: 1 } })).statusCode).toBe(201);
  expect(await available()).toBe(1_002);
});

test("a wallet's id that two sandboxes share, because they stand still under one seed, is refused", async () => {
  const keys = [merchant.secretKey, (await createMerchant(db)).secretKey];
  const ids: string[] = [];
  for (const key of keys) {
    await call("PUT", "/sandbox/clock", { key, body: { mode: "frozen", now: "2026-11-01T08:00:00Z", seed: "twins" } });
    const opened = await call("POST", "/wallets/sub-accounts", { key, body: { accountName: "Till" } });
    expect(opened.statusCode, opened.body).toBe(201);
    ids.push(opened.json().data.id);
  }
  const [id = "", twin] = ids;
  expect(twin).toBe(id);
  for (const reply of [await credit({}, id), await debit({}, id)]) {
    expect([reply.statusCode, reply.json().code]).toEqual([409, "invalid_state"]);
  }
  for (const key of keys) {
    expect((await call("GET", `/wallets/balance?accountId=${id}`, { key })).json().data.available).toBe(0);
  }
});

test.each(["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", "no-uuid"])("the wallet %s is not found", async (id) => {
  for (const reply of [await credit({}, id), await debit({}, id)]) {
    expect([reply.statusCode, reply.json().code]).toEqual([404, "wallet_not_found"]);
  }
});

test.each([
  [{ amount: 0 }, "amount"],
  [{ amount: 10.001 }, "amount"],
  [{ reference: "" }, "reference"],
  [{ reference: "x".repeat(101) }, "reference"],
  [{ reason: " " }, "reason"],
])("%j is refused", async (change, field) => {
  for (const reply of [await credit(change), await debit(change)]) {
    expect([reply.statusCode, reply.json().errors[0].field]).toEqual([422, field]);
  }
});

test("a merchant's key opens nothing here", async () => {
  const reply = await call("POST", `/operator/wallets/${main}/credit`, { key: merchant.secretKey, body });
  expect(reply.statusCode).toBe(401);
});
