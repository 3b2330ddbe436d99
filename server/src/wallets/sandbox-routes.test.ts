import { beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { createMerchant, type TestMerchant, testOrigin } from "../../testing/factories.ts";
import { issueKeyFor } from "../../testing/keys.ts";
import { addEnvironment } from "../merchants/add-environment.ts";
import { inEnvironment, operatorScope } from "../platform/database/database.ts";
import { openEnvironment } from "../start/open-environment.ts";
import { mainWalletId } from "./wallet.ts";

const testing = await createTestApp();
const { db, call } = testing;

let merchant: TestMerchant;
let main: string;

beforeEach(async () => {
  merchant = await createMerchant(db);
  main = mainWalletId(merchant.environment.id);
});

const post = (path: string, body: unknown, headers = {}, key = merchant.secretKey) =>
  call("POST", path, { body, headers, key });
const available = async () =>
  (await call("GET", "/wallets/balance", { key: merchant.secretKey })).json().data.available;
const events = () =>
  inEnvironment(db, merchant.environment.id, (tx) =>
    tx.selectFrom("events").select(["event", "resource_type", "resource_id", "data"]).orderBy("sequence").execute(),
  );
const numberOf = async (accountId: string, key = merchant.secretKey): Promise<string> =>
  (await call("GET", `/wallets/sub-accounts/${accountId}`, { key })).json().data.accountNumber;

describe("funding", () => {
  test("puts money into the main wallet and announces the line", async () => {
    const reply = await post("/sandbox/wallets/fund", { amount: 2_500.5 });
    expect(reply.statusCode).toBe(201);
    expect(reply.json().data).toMatchObject({
      accountId: main,
      type: "wallet.funded",
      direction: "credit",
      amount: 2_500.5,
      balanceAfter: 2_500.5,
    });
    expect(await available()).toBe(2_500.5);
    const { data } = reply.json();
    expect(await events()).toEqual([
      { event: "wallet.credited", resource_type: "wallet_movement", resource_id: data.id, data },
    ]);
  });

  test("reaches a sub-account by its id", async () => {
    const id = (await post("/wallets/sub-accounts", { accountName: "Ikeja" })).json().data.id;
    const reply = await post("/sandbox/wallets/fund", { amount: 10, accountId: id });
    expect(reply.json().data).toMatchObject({ accountId: id, balanceAfter: 10 });
    expect(await available()).toBe(0);
  });

  test("repeated under one Idempotency-Key, also at once, funds once", async () => {
    const headers = { "idempotency-key": "fund-once" };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => post("/sandbox/wallets/fund", { amount: 10 }, headers)),
    );
    expect(new Set(replies.map((reply) => reply.body)).size).toBe(1);
    expect(await available()).toBe(10);
  });

  test("without a key each request funds, also at once", async () => {
    await Promise.all(Array.from({ length: 20 }, () => post("/sandbox/wallets/fund", { amount: 10 })));
    expect(await available()).toBe(200);
  });

  test("another merchant's wallet is not found", async () => {
    const theirs = mainWalletId(testing.otherMerchant.environment.id);
    for (const accountId of [theirs, "no-uuid"]) {
      const reply = await post("/sandbox/wallets/fund", { amount: 10, accountId });
      expect([reply.statusCode, reply.json().code]).toEqual([404, "wallet_not_found"]);
    }
  });

  test.each([0, -5, 1.001, 1e21, 10_000_000_000.01, "5", undefined])("the amount %j is refused", async (amount) => {
    const reply = await post("/sandbox/wallets/fund", { amount });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    expect(reply.json().errors[0].field).toBe("amount");
  });
});

describe("a payment to a virtual account", () => {
  test("arrives in the wallet with the payer's name and is announced", async () => {
    const body = { accountNumber: await numberOf(main), amount: 12_500, senderName: "Ada Obi" };
    const reply = await post("/sandbox/wallets/credit", body);
    expect(reply.statusCode).toBe(201);
    const { data } = reply.json();
    expect(data).toMatchObject({ type: "wallet.credited", amount: 12_500, narration: "Transfer from Ada Obi" });
    expect(await available()).toBe(12_500);
    expect(await events()).toMatchObject([{ event: "wallet.credited", data }]);
  });

  test("repeated under one Idempotency-Key arrives once", async () => {
    const body = { accountNumber: await numberOf(main), amount: 5, senderName: "Ada Obi" };
    const headers = { "idempotency-key": "credit-once" };
    const first = await post("/sandbox/wallets/credit", body, headers);
    const again = await post("/sandbox/wallets/credit", body, headers);
    expect([again.body, again.headers["idempotent-replayed"]]).toEqual([first.body, "true"]);
    expect(await available()).toBe(5);
  });

  test("to a number of another merchant, or of nobody, is not found", async () => {
    const { otherMerchant } = testing;
    const theirs = await numberOf(mainWalletId(otherMerchant.environment.id), otherMerchant.secretKey);
    for (const accountNumber of [theirs, "0000000000"]) {
      const reply = await post("/sandbox/wallets/credit", { accountNumber, amount: 5, senderName: "Ada" });
      expect([reply.statusCode, reply.json().code]).toEqual([404, "wallet_not_found"]);
    }
  });

  test("tells all bad fields at once", async () => {
    const reply = await post("/sandbox/wallets/credit", { accountNumber: "123456789", amount: 0, senderName: " " });
    expect(
      reply
        .json()
        .errors.map((error: { field: string }) => error.field)
        .sort(),
    ).toEqual(["accountNumber", "amount", "senderName"]);
  });
});

test("a live key is turned away, and so is a key without the scope", async () => {
  const command = { merchantId: merchant.merchant.id, kind: "LIVE", name: "Live", origin: testOrigin } as const;
  const live = await inEnvironment(db, operatorScope, (tx) =>
    addEnvironment(tx, { ...command, environmentOpened: openEnvironment }),
  );
  const liveKey = await issueKeyFor(db, live.id);
  const readKey = await issueKeyFor(db, merchant.environment.id, { scopes: ["wallets:write"] });
  for (const [path, body] of [
    ["/sandbox/wallets/fund", { amount: 5 }],
    ["/sandbox/wallets/credit", { accountNumber: "0000000000", amount: 5, senderName: "Ada" }],
  ] as const) {
    expect((await post(path, body, {}, liveKey)).json().code).toBe("sandbox_only");
    expect((await post(path, body, {}, readKey)).json().code).toBe("scope_missing");
  }
});
