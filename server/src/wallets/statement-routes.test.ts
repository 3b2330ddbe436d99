import { beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { createMerchant } from "../../testing/factories.ts";
import { postBatch } from "../ledger/post.ts";
import { kobo } from "../money/kobo.ts";
import { inEnvironment, readEnvironment } from "../platform/database/database.ts";
import type { Read } from "../platform/http/route.ts";
import { newMovement } from "./credit-wallet.ts";
import { type Movement, postingOf } from "./movement.ts";
import { insertMovements } from "./movement-store.ts";
import { findStatement, streamStatement } from "./statement-routes.ts";
import { mainWalletId } from "./wallet.ts";

const testing = await createTestApp();
const { db, call } = testing;

let key: string;
let main: string;
let number: string;

const read = (query = "", headers = {}, secretKey = key) =>
  call("GET", `/wallets/transactions${query}`, { headers, key: secretKey });
const csv = (query = "", secretKey = key) => read(query, { accept: "text/csv" }, secretKey);
const setClock = (now: string) => call("PUT", "/sandbox/clock", { key, body: { mode: "frozen", now, seed: "s" } });
const credit = (amount: number, senderName: string) =>
  call("POST", "/sandbox/wallets/credit", { key, body: { accountNumber: number, amount, senderName } });

beforeAll(async () => {
  const merchant = await createMerchant(db);
  key = merchant.secretKey;
  main = mainWalletId(merchant.environment.id);
  number = (await call("GET", `/wallets/sub-accounts/${main}`, { key })).json().data.accountNumber;
  await setClock("2026-11-01T08:00:00Z");
  await credit(100, "Ada Obi");
  await setClock("2026-11-02T08:00:00Z");
  await credit(200.5, '=HYPERLINK("http://evil"), "Bola"');
  await setClock("2026-11-03T08:00:00Z");
  await call("POST", `/operator/wallets/${main}/debit`, {
    key: testing.operatorToken,
    body: { amount: 50, reference: "-1+1", reason: "two\nlines" },
  });
});

describe("a statement in JSON", () => {
  test("shows the newest line first, each with the balance after it", async () => {
    const reply = await read();
    expect(reply.statusCode).toBe(200);
    const { data, pagination } = reply.json();
    expect(pagination).toEqual({
      currentPage: 1,
      totalPages: 1,
      totalItems: 3,
      itemsPerPage: 10,
      hasNextPage: false,
      hasPreviousPage: false,
    });
    expect(data[0]).toEqual({
      id: expect.any(String),
      accountId: main,
      type: "wallet.operator_debited",
      direction: "debit",
      amount: 50,
      balanceAfter: 250.5,
      currency: "NGN",
      narration: "two\nlines",
      resource: { type: "wallet_movement", id: data[0].id, reference: "-1+1" },
      createdAt: "2026-11-03T08:00:00.000Z",
    });
    expect(data.map((line: { balanceAfter: number }) => line.balanceAfter)).toEqual([250.5, 300.5, 100]);
  });

  test("comes in pages", async () => {
    const page = (await read("?page=2&limit=2")).json();
    expect(page.data).toMatchObject([{ amount: 100, direction: "credit", narration: "Transfer from Ada Obi" }]);
    expect(page.pagination).toMatchObject({ totalPages: 2, hasNextPage: false, hasPreviousPage: true });
    expect((await read("?page=3&limit=2")).json().data).toEqual([]);
  });

  test.each([
    ["?from=2026-11-02", [50, 200.5]],
    ["?to=2026-11-02", [200.5, 100]],
    ["?from=2026-11-02&to=2026-11-02", [200.5]],
    ["?from=2026-11-01T08:00:00Z&to=2026-11-02T08:00:00Z", [100]],
    ["?from=2027-01-01", []],
    ["?from=2026-11-01&limit=2&page=2", [100]],
    ["?from=2026-11-01&limit=2&page=3", []],
  ])("%s shows %j", async (query, amounts) => {
    const { data } = (await read(query)).json();
    expect(data.map((line: { amount: number }) => line.amount)).toEqual(amounts);
  });

  test("counts exactly what lies in the span", async () => {
    expect((await read("?from=2026-11-02&limit=1")).json().pagination).toMatchObject({ totalItems: 2, totalPages: 2 });
  });

  test.each([
    ["?from=yesterday", "from"],
    ["?from=2026-11-02&to=2026-11-01T00:00:00Z", "to"],
    ["?limit=0", "limit"],
    ["?page=x", "page"],
  ])("%s is refused naming %s", async (query, field) => {
    const reply = await read(query);
    expect([reply.statusCode, reply.json().code, reply.json().errors[0].field]).toEqual([
      422,
      "validation_failed",
      field,
    ]);
  });

  test("of another merchant's account is not found, in JSON and in CSV", async () => {
    for (const id of [mainWalletId(testing.otherMerchant.environment.id), "no-uuid"]) {
      for (const reply of [await read(`?accountId=${id}`), await csv(`?accountId=${id}`)]) {
        expect([reply.statusCode, reply.json().code]).toEqual([404, "wallet_not_found"]);
      }
    }
  });
});

describe("a statement in CSV", () => {
  test("holds the whole span, quoted, and nothing that a spreadsheet would run", async () => {
    const reply = await csv("?limit=1");
    expect(reply.statusCode).toBe(200);
    expect(reply.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(reply.headers["content-disposition"]).toBe(`attachment; filename="statement-${main}.csv"`);
    expect(reply.headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
    const ids = (await read()).json().data.map((line: { id: string }) => line.id);
    const rows = [
      "id,accountId,type,direction,amount,balanceAfter,currency,narration,resourceType,resourceId,reference,createdAt",
      `${ids[0]},${main},wallet.operator_debited,debit,50.00,250.50,NGN,"two\nlines",wallet_movement,${ids[0]},'-1+1,2026-11-03T08:00:00.000Z`,
      `${ids[1]},${main},wallet.credited,credit,200.50,300.50,NGN,"Transfer from =HYPERLINK(""http://evil""), ""Bola""",wallet_movement,${ids[1]},,2026-11-02T08:00:00.000Z`,
      `${ids[2]},${main},wallet.credited,credit,100.00,100.00,NGN,Transfer from Ada Obi,wallet_movement,${ids[2]},,2026-11-01T08:00:00.000Z`,
    ];
    expect(reply.body).toBe(rows.map((row) => `${row}\r\n`).join(""));
  });

  test("keeps to the span", async () => {
    const rows = (await csv("?from=2026-11-02&to=2026-11-02")).body.trimEnd().split("\r\n");
    expect(rows).toHaveLength(2);
    expect(rows[1]).toContain(",200.50,");
  });

  test("of an empty wallet is the header alone", async () => {
    const body = (await csv("", testing.otherMerchant.secretKey)).body;
    expect(body.trimEnd().split("\r\n")).toHaveLength(1);
  });

  test("of thousands of lines has each once, in order, though it is read in pieces", async () => {
    const { environment, secretKey } = await createMerchant(db);
    await inEnvironment(db, environment.id, async (tx) => {
      const to = mainWalletId(environment.id);
      const fundings = Array.from(
        { length: 1_203 },
        (): Movement => ({ ...newMovement(tx), kind: "funding", to, amount: kobo(1n) }),
      );
      // All in one statement: one after another they would take most of this file's time.
      const refused = await postBatch(
        tx,
        fundings.map((funding) => postingOf(environment.id, funding)),
      );
      expect(refused.size).toBe(0);
      await insertMovements(tx, fundings);
    });
    const wanted = { accountId: mainWalletId(environment.id), span: { from: null, to: null } };
    const extent = await inEnvironment(db, environment.id, (tx) => findStatement(tx, wanted));
    const readInside: Read = (work) => readEnvironment(db, environment.id, work);
    const chunks = await Array.fromAsync(streamStatement(readInside, wanted, extent));
    expect(chunks.map((chunk) => chunk.split("\r\n").length - 1)).toEqual([1, 1_000, 203]);
    const { body } = await csv("", secretKey);
    expect(body).toBe(chunks.join(""));
    const rows = body.trimEnd().split("\r\n").slice(1);
    const balances = rows.map((row) => Number(row.split(",")[5]) * 100);
    expect(balances.map(Math.round)).toEqual(Array.from({ length: 1_203 }, (_, place) => 1_203 - place));
  });

  test.each(["text/html", "application/xml, text/csv;q=0"])("Accept: %s is not acceptable", async (accept) => {
    const reply = await read("", { accept });
    expect([reply.statusCode, reply.json().code]).toEqual([406, "not_acceptable"]);
  });

  test("a caller who does not mind gets JSON", async () => {
    const reply = await read("", { accept: "*/*" });
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
  });
});
