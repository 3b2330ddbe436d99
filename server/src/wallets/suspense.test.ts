import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createMerchant } from "../../testing/factories.ts";
import { createInboundApp, inboundCredentials } from "../../testing/providers/inbound-app.ts";
import { startPaystackTwin } from "../../testing/providers/paystack-twin.ts";
import { createInboundBooks } from "../../testing/providers/paystack-twin-inbound.ts";
import { asOwner } from "../../testing/work.ts";
import { systemAccountId } from "../ledger/account.ts";
import { readBalances } from "../ledger/balance.ts";
import { operatorScope, readEnvironment } from "../platform/database/database.ts";
import { placeWaiting } from "./assign-suspense.ts";
import { mainWalletId } from "./wallet.ts";

const app = await createInboundApp();
const { open, hook, follow, balance, books, operate, suspense, db, ownerUrl } = app;

type Item = Readonly<Record<string, unknown>>;
/** Money comes in and is asked about. */
async function receive(...paid: Parameters<typeof books.payIn>): Promise<Item> {
  const credit = books.payIn(...paid);
  await hook(credit);
  await follow();
  const found = (await suspense("?limit=100")).find(({ transactionId }) => transactionId === String(credit.id));
  return found ?? {};
}
const assign = (id: unknown, accountId: string, reason = "The payer's receipt names it", key?: string) =>
  operate(
    "POST",
    `/operator/suspense/${id}/assign`,
    { accountId, reason },
    key === undefined ? {} : { "idempotency-key": key },
  );
/** A wallet's id that two sandboxes have, because they stand still alike. */
async function sharedWallet(): Promise<string> {
  const ids = new Set<string>();
  for (const { secretKey: key } of [await createMerchant(db), await createMerchant(db)]) {
    await app.call("PUT", "/sandbox/clock", { key, body: { mode: "frozen", now: "2026-11-01T08:00:00Z", seed: "s" } });
    const opened = await app.call("POST", "/wallets/sub-accounts", { key, body: { accountName: "Till" } });
    ids.add(opened.json().data.id);
  }
  expect(ids.size).toBe(1);
  return [...ids].join();
}
const inSuspense = async (purpose = "inbound_suspense") => {
  const id = systemAccountId(operatorScope, purpose);
  return (await readEnvironment(db, operatorScope, (tx) => readBalances(tx, [id]))).get(id) ?? 0n;
};

describe("money that belongs to nobody yet", () => {
  test("for an unknown number waits in suspense, in the books, with all that is known of it", async () => {
    const before = await inSuspense();
    const item = await receive("9999999999", 250_000);
    expect(item).toMatchObject({
      state: "open",
      reason: "unknown_account",
      mode: "live",
      amount: 2_500,
      fee: 25,
      currency: "NGN",
      accountNumber: "9999999999",
      senderName: "CHIDINMA OKAFOR",
      senderBank: "Guaranty Trust Bank",
      senderAccount: "4553",
      accountId: null,
      assignedAt: null,
    });
    expect((await inSuspense()) - before).toBe(250_000n);
    expect(await app.verify()).toEqual([]);
  });

  test("comes once, however often it is told", async () => {
    const credit = books.payIn("9999999998", 1_000);
    const before = await inSuspense();
    await Promise.all([hook(credit), hook(credit)]);
    await Promise.all([follow(), follow()]);
    await hook(credit);
    await follow();
    expect((await inSuspense()) - before).toBe(1_000n);
  });

  test("waits where number and holder name two wallets: nobody guesses", async () => {
    const [one, other] = [await open(), await open()];
    const { customer } = books.payIn(other.accountNumber, 100);
    const item = await receive(one.accountNumber, 8_000, { customer });
    expect(item).toMatchObject({ state: "open", reason: "keys_disagree" });
    expect([await balance(one.id), await balance(other.id)]).toEqual([0, 0]);
  });

  test("waits where a second payment has the session of an earlier one, also when both come at once", async () => {
    const { id, accountNumber } = await open();
    const reference = "000014261103091500000000000042";
    const twins = [1, 2].map(() => books.payIn(accountNumber, 8_000, { reference }));
    for (const credit of twins) await hook(credit);
    await follow();
    expect(await balance(id)).toBe(8_000);
    expect((await suspense("?state=open")).filter(({ reason }) => reason === "session_seen")).toHaveLength(1);
  });

  test("in another currency is kept aside and in no books of ours", async () => {
    const { id, accountNumber } = await open();
    const before = await inSuspense();
    const item = await receive(accountNumber, 8_000, { currency: "USD" });
    expect(item).toMatchObject({ state: "foreign_currency", currency: "USD", amount: 80 });
    expect([await balance(id), (await inSuspense()) - before]).toEqual([0, 0n]);
    const reply = await assign(item["id"], id);
    expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([
      409,
      "suspense_currency",
      { currency: "USD" },
    ]);
    expect(await app.verify()).toEqual([]);
  });

  test("that came before we knew its number goes to the wallet by itself once it is open", async () => {
    books.assignsLater = true;
    const id = await app.order();
    await app.takeUp(id);
    books.assign();
    books.assignsLater = false;
    const number = books.accounts.find(({ customer }) => customer.email.includes(id))?.number ?? "";
    expect(await receive(number, 55_000)).toMatchObject({ state: "open", reason: "unknown_account" });
    expect(await placeWaiting(db)).toBe(0);
    await app.takeUp(id);
    expect(await Promise.all([placeWaiting(db), placeWaiting(db)])).toContain(1);
    expect(await balance(id)).toBe(55_000);
    expect(await app.verify()).toEqual([]);
  });
});

describe("assigning", () => {
  test("moves the whole amount to the wallet once, with event, statement and audit", async () => {
    const { id } = await open();
    const before = await inSuspense();
    const item = await receive("9999999997", 30_000);
    const reply = await assign(item["id"], id);
    expect(reply.statusCode, reply.body).toBe(200);
    const assigned = { id: item["id"], state: "assigned", accountId: id, environmentId: app.liveEnvironmentId };
    expect(reply.json().data).toMatchObject({ ...assigned, assignedAt: expect.any(String) });
    expect([await balance(id), await inSuspense()]).toEqual([30_000, before]);
    const events = (await app.events("wallet.credited")).filter((data) => data["accountId"] === id);
    expect(events).toMatchObject([{ amount: 300, narration: "Transfer from CHIDINMA OKAFOR" }]);
    const entry = (await operate("GET", "/operator/audit?limit=1")).json().data[0];
    expect(entry).toMatchObject({ action: "suspense.assign", subjectId: item["id"] });
    expect(entry.detail).toMatchObject({ accountId: id, amount: "300.00", reason: "The payer's receipt names it" });
    expect(await app.verify()).toEqual([]);
  });

  test("again to the same wallet changes nothing, to another it is refused", async () => {
    const [one, other] = [await open(), await open()];
    const { id } = await receive("9999999996", 30_000);
    await assign(id, one.id);
    const again = await assign(id, one.id.toUpperCase(), "Another reason");
    expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    const elsewhere = await assign(id, other.id);
    expect([elsewhere.statusCode, elsewhere.json().code, elsewhere.json().data]).toEqual([
      409,
      "suspense_assigned",
      { accountId: one.id },
    ]);
    expect([await balance(one.id), await balance(other.id)]).toEqual([30_000, 0]);
  });

  test("by two operators at once, to two wallets, moves it once", async () => {
    const wallets = [await open(), await open()];
    const { id } = await receive("9999999995", 30_000);
    const replies = await Promise.all(wallets.map((wallet) => assign(id, wallet.id)));
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const sum = (await balance(wallets[0]?.id ?? "")) + (await balance(wallets[1]?.id ?? ""));
    expect(sum).toBe(30_000);
  });

  test("under one Idempotency-Key returns the first reply", async () => {
    const { id: wallet } = await open();
    const { id } = await receive("9999999994", 30_000);
    const key = randomUUID();
    const [first, again] = [await assign(id, wallet, "Why", key), await assign(id, wallet, "Why", key)];
    expect(again.json()).toEqual(first.json());
    expect(await balance(wallet)).toBe(30_000);
  });

  test.each([
    ["what is not there", async () => randomUUID(), async () => (await open()).id, 404, "suspense_not_found"],
    [
      "to no wallet",
      async () => (await receive("9999999993", 1_000))["id"],
      async () => randomUUID(),
      404,
      "wallet_not_found",
    ],
    [
      "to what is not an id",
      async () => (await receive("9999999993", 1_000))["id"],
      async () => "x",
      404,
      "wallet_not_found",
    ],
    [
      "real money to a sandbox",
      async () => (await receive("9999999993", 1_000))["id"],
      async () => mainWalletId(app.merchant.environment.id),
      422,
      "suspense_mode_mismatch",
    ],
  ])("%s is refused", async (_, item, wallet, status, code) => {
    const before = await inSuspense();
    const wanted = await item();
    const reply = await assign(wanted, await wallet());
    expect([reply.statusCode, reply.json().code]).toEqual([status, code]);
    expect((await inSuspense()) - before).toBe(status === 404 && code === "suspense_not_found" ? 0n : 1_000n);
  });

  test("a credit that went straight to its wallet is nothing in suspense", async () => {
    const { id, accountNumber } = await open();
    await receive(accountNumber, 1_000);
    const [row] = (
      await readEnvironment(db, operatorScope, (tx) =>
        tx.selectFrom("inbound_credits").select("id").where("wallet_id", "=", id).execute(),
      )
    ).map((found) => found.id);
    const reply = await assign(row, id);
    expect([reply.statusCode, reply.json().code]).toEqual([404, "suspense_not_found"]);
  });

  test("without a reason is refused, and so is a merchant's key", async () => {
    const { id } = await receive("9999999992", 1_000);
    const empty = await operate("POST", `/operator/suspense/${id}/assign`, { accountId: randomUUID(), reason: " " });
    expect([empty.statusCode, empty.json().code]).toEqual([422, "validation_failed"]);
    const merchant = await app.call("GET", "/operator/suspense", { key: app.liveKey });
    expect(merchant.statusCode).toBe(401);
  });
});

describe("the list", () => {
  test("is newest first, in pages, by state", async () => {
    const all = await suspense("?limit=100");
    const total = async (query: string) =>
      (await operate("GET", `/operator/suspense${query}`)).json().pagination.totalItems;
    expect(await total("")).toBe(all.length);
    for (const state of ["open", "assigned", "foreign_currency"]) {
      const found = await suspense(`?state=${state}&limit=100`);
      expect(found).toEqual(all.filter((item) => item["state"] === state));
      expect(found.length).toBeGreaterThan(0);
      expect(await total(`?state=${state}&limit=1`)).toBe(found.length);
    }
    const pages = [await suspense("?limit=2"), await suspense("?limit=2&page=2"), await suspense("?page=999")];
    expect(pages).toEqual([all.slice(0, 2), all.slice(2, 4), []]);
    expect((await operate("GET", "/operator/suspense?state=lost")).statusCode).toBe(422);
  });
});

test("money at a connection that opens no accounts is another system's", async () => {
  const others = createInboundBooks();
  const twin = app.keep(await startPaystackTwin(0, { parts: [others.part], firstId: 25_000_000_000 }));
  const { secretKey } = twin.account;
  const bare = { provider: "paystack", name: "Payouts only", mode: "live", baseUrl: twin.url };
  const connectionId = await app.connect({ ...bare, credentials: { secretKey } });
  const before = await inSuspense();
  expect(await hook(others.payIn("9999999981", 40_000), { connectionId, secretKey })).toBe(200);
  await follow();
  const hints = (await operate("GET", `/operator/connections/${connectionId}/hints`)).json().data;
  expect([hints[0].outcome, (await inSuspense()) - before]).toEqual(["not_ours", 0n]);
});

test("test money is kept apart from real money, and only a sandbox can have it", async () => {
  const others = createInboundBooks();
  const twin = app.keep(await startPaystackTwin(0, { secretKey: "sk_test_twin", parts: [others.part] }));
  const wanted = { provider: "paystack", name: "Test", mode: "test", baseUrl: twin.url };
  const connectionId = await app.connect({ ...wanted, credentials: inboundCredentials("sk_test_twin") });
  const before = await inSuspense();
  const credit = others.payIn("9999999991", 40_000);
  await hook(credit, { connectionId, secretKey: "sk_test_twin" });
  await follow();
  expect([(await inSuspense()) - before, await inSuspense("inbound_suspense_test")]).toEqual([0n, 40_000n]);
  const item = (await suspense("?limit=1"))[0];
  expect(item).toMatchObject({ mode: "test", state: "open" });
  const live = await assign(item?.["id"], mainWalletId(app.liveEnvironmentId));
  expect([live.statusCode, live.json().code]).toEqual([422, "suspense_mode_mismatch"]);
  const shared = await assign(item?.["id"], await sharedWallet());
  expect([shared.statusCode, shared.json().code]).toEqual([409, "invalid_state"]);
  const sandbox = await assign(item?.["id"], mainWalletId(app.merchant.environment.id));
  expect([sandbox.statusCode, await inSuspense("inbound_suspense_test")]).toEqual([200, 0n]);
  expect(await app.verify()).toEqual([]);
});

test("verify finds suspense that the books do not bear out", async () => {
  await receive("9999999990", 7_000);
  expect(await app.verify()).toEqual([]);
  await asOwner(ownerUrl, "update inbound_credits set amount = amount + 1 where account_number = '9999999990'");
  const checks = (await app.verify()).map(({ check }) => check);
  expect(checks).toEqual([
    "operator's inbound_suspense is what is in suspense",
    "operator's inbound_clearing is what is in suspense",
  ]);
  await asOwner(ownerUrl, "update inbound_credits set amount = amount - 1 where account_number = '9999999990'");
  expect(await app.verify()).toEqual([]);
});
