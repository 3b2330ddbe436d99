import { beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { createMerchant } from "../../testing/factories.ts";
import { issueKeyFor } from "../../testing/keys.ts";
import { verifyLedger } from "../ledger/verify.ts";
import { inEnvironment } from "../platform/database/database.ts";
import { mainWalletId, virtualAccountBank } from "./wallet.ts";

const testing = await createTestApp();
const { db, call } = testing;
const strange = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";

let key: string;
let environment: string;
let main: string;

beforeEach(async () => {
  const merchant = await createMerchant(db);
  key = merchant.secretKey;
  environment = merchant.environment.id;
  main = mainWalletId(environment);
});

const get = (path: string, secretKey = key) => call("GET", path, { key: secretKey });
const post = (path: string, body: unknown, headers = {}, secretKey = key) =>
  call("POST", path, { body, headers, key: secretKey });
const open = async (accountName: string, secretKey = key): Promise<string> =>
  (await post("/wallets/sub-accounts", { accountName }, {}, secretKey)).json().data.id;
const fund = (amount: number, accountId?: string) => post("/sandbox/wallets/fund", { amount, accountId });
const availableIn = async (accountId: string): Promise<number> =>
  (await get(`/wallets/balance?accountId=${accountId}`)).json().data.available;

describe("sub-accounts", () => {
  test("the list is the specification's, with the merchant's own id beside it", async () => {
    const ids: string[] = [];
    for (const name of ["Ikeja", "Yaba", "Lekki"]) ids.unshift(await open(name));
    await fund(1_500.25, ids[2]);
    const reply = await get("/wallets/sub-accounts?page=2&limit=2");
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({
      status: true,
      message: "Sub-accounts retrieved",
      data: [
        {
          id: ids[2],
          accountName: "Ikeja",
          accountNumber: expect.stringMatching(/^\d{10}$/),
          bankName: virtualAccountBank,
          balance: 1_500.25,
          externalId: null,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      ],
      pagination: {
        currentPage: 2,
        totalPages: 2,
        totalItems: 3,
        itemsPerPage: 2,
        hasNextPage: false,
        hasPreviousPage: true,
      },
    });
    const first = (await get("/wallets/sub-accounts")).json();
    expect(first.data.map((item: { id: string }) => item.id)).toEqual(ids);
    expect(first.pagination).toMatchObject({ currentPage: 1, itemsPerPage: 10, totalItems: 3 });
  });

  test("a page past the end is empty, and a limit above 100 is refused", async () => {
    await open("One");
    expect((await get("/wallets/sub-accounts?page=9")).json()).toMatchObject({
      data: [],
      pagination: { totalItems: 1 },
    });
    const reply = await get("/wallets/sub-accounts?limit=101");
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
  });

  test("the main wallet is not in the list, and can be read by its id", async () => {
    expect((await get("/wallets/sub-accounts")).json().data).toEqual([]);
    const reply = await get(`/wallets/sub-accounts/${main}`);
    expect(reply.json().data).toMatchObject({ id: main, accountName: "Main wallet", balance: 0 });
  });

  test("one is opened with a number of its own and read back", async () => {
    const reply = await post("/wallets/sub-accounts", { accountName: "Ikeja", externalId: "branch-1" });
    expect(reply.statusCode).toBe(201);
    const { data } = reply.json();
    expect(data).toMatchObject({ accountName: "Ikeja", balance: 0 });
    expect((await get(`/wallets/sub-accounts/${data.id}`)).json().data).toEqual(data);
  });

  test("the same external id and name find it again, another name is a conflict", async () => {
    const body = { accountName: "Ikeja", externalId: "branch-1" };
    const first = await post("/wallets/sub-accounts", body);
    const again = await post("/wallets/sub-accounts", body);
    expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    expect(again.json().data).toEqual(first.json().data);
    const other = await post("/wallets/sub-accounts", { ...body, accountName: "Yaba" });
    expect([other.statusCode, other.json().code]).toEqual([409, "reference_conflict"]);
    expect(other.json().data).toEqual({ fields: ["accountName"] });
    expect((await get("/wallets/sub-accounts")).json().pagination.totalItems).toBe(1);
  });

  test("of twenty twins at once one opens it and the others find it", async () => {
    const body = { accountName: "Twin", externalId: "twin" };
    const replies = await Promise.all(Array.from({ length: 20 }, () => post("/wallets/sub-accounts", body)));
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(replies.map((reply) => reply.json().data.id)).size).toBe(1);
    expect((await get("/wallets/sub-accounts")).json().pagination.totalItems).toBe(1);
  });

  test("an Idempotency-Key replays the first reply", async () => {
    const headers = { "idempotency-key": "open-once" };
    const first = await post("/wallets/sub-accounts", { accountName: "Once" }, headers);
    const again = await post("/wallets/sub-accounts", { accountName: "Once" }, headers);
    expect([again.statusCode, again.body, again.headers["idempotent-replayed"]]).toEqual([201, first.body, "true"]);
  });

  test("an external id of one merchant means nothing to another", async () => {
    const body = { accountName: "Ikeja", externalId: "branch-1" };
    await post("/wallets/sub-accounts", body);
    const theirs = await post("/wallets/sub-accounts", body, {}, testing.otherMerchant.secretKey);
    expect(theirs.statusCode).toBe(201);
  });

  test.each([
    [{}, ["accountName"]],
    [{ accountName: "" }, ["accountName"]],
    [{ accountName: "   " }, ["accountName"]],
    [{ accountName: "x".repeat(101) }, ["accountName"]],
    [{ accountName: 5, externalId: "" }, ["accountName", "externalId"]],
  ])("%j is refused naming %j", async (body, fields) => {
    const reply = await post("/wallets/sub-accounts", body);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    expect(reply.json().errors.map((error: { field: string }) => error.field)).toEqual(fields);
  });

  test("another merchant's sub-account is not found, like one that nobody has", async () => {
    const theirs = await open("Theirs", testing.otherMerchant.secretKey);
    for (const id of [theirs, strange, "no-uuid"]) {
      const reply = await get(`/wallets/sub-accounts/${id}`);
      expect([reply.statusCode, reply.json().code]).toEqual([404, "wallet_not_found"]);
    }
  });
});

describe("the balance", () => {
  test("is the main wallet's unless another account is named", async () => {
    await fund(2_500.5);
    expect((await get("/wallets/balance")).json()).toEqual({
      status: true,
      message: "Balance retrieved",
      data: { accountId: main, available: 2_500.5, held: 0, currency: "NGN" },
    });
    const id = await open("Ikeja");
    expect((await get(`/wallets/balance?accountId=${id}`)).json().data).toMatchObject({ accountId: id, available: 0 });
  });

  test("of another merchant's account is not found", async () => {
    for (const id of [mainWalletId(testing.otherMerchant.environment.id), strange, "no-uuid"]) {
      const reply = await get(`/wallets/balance?accountId=${id}`);
      expect([reply.statusCode, reply.json().code]).toEqual([404, "wallet_not_found"]);
    }
  });

  test("needs a key with the scope", async () => {
    const limited = await issueKeyFor(db, environment, { scopes: ["wallets:write"] });
    const reply = await get("/wallets/balance", limited);
    expect([reply.statusCode, reply.json().code]).toEqual([403, "scope_missing"]);
  });
});

describe("a move between own accounts", () => {
  let branch: string;
  const move = (change: object = {}, headers = {}) =>
    post("/wallets/transfers", { from: main, to: branch, amount: 400.5, reference: "move-1", ...change }, headers);

  beforeEach(async () => {
    branch = await open("Branch");
    await fund(1_000);
  });

  test("takes from one and gives to the other, free of charge", async () => {
    const reply = await move();
    expect(reply.statusCode).toBe(201);
    expect(reply.json().data).toEqual({
      id: expect.any(String),
      reference: "move-1",
      from: main,
      to: branch,
      amount: 400.5,
      currency: "NGN",
      createdAt: expect.any(String),
    });
    expect([await availableIn(main), await availableIn(branch)]).toEqual([599.5, 400.5]);
    expect(await inEnvironment(db, environment, verifyLedger)).toEqual([]);
  });

  test("is found again by its reference, and other content is a conflict that names the fields", async () => {
    const first = await move();
    const again = await move();
    expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    expect(again.json().data).toEqual(first.json().data);
    const other = await move({ amount: 1, from: branch, to: main });
    expect([other.statusCode, other.json().code]).toEqual([409, "reference_conflict"]);
    expect(other.json().data).toEqual({ fields: ["from", "to", "amount"] });
    expect(await availableIn(branch)).toBe(400.5);
  });

  test("of a hundred twins at once one moves money and the others find it", async () => {
    const replies = await Promise.all(Array.from({ length: 100 }, () => move()));
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([...Array(99).fill(200), 201]);
    expect(new Set(replies.map((reply) => reply.json().data.id)).size).toBe(1);
    expect([await availableIn(main), await availableIn(branch)]).toEqual([599.5, 400.5]);
  });

  test("an Idempotency-Key replays the first reply to the byte", async () => {
    const headers = { "idempotency-key": "move-once" };
    const first = await move({}, headers);
    const again = await move({}, headers);
    expect([again.statusCode, again.body, again.headers["idempotent-replayed"]]).toEqual([201, first.body, "true"]);
    const other = await move({ amount: 2 }, headers);
    expect([other.statusCode, other.json().code]).toEqual([409, "idempotency_key_conflict"]);
  });

  test("without funds is refused at once, and its reference stays free", async () => {
    const poor = await move({ amount: 1_000.01 });
    expect([poor.statusCode, poor.json().code]).toEqual([422, "insufficient_funds"]);
    expect(await availableIn(main)).toBe(1_000);
    expect((await move()).statusCode).toBe(201);
  });

  test("to the same account is refused", async () => {
    const reply = await move({ to: main });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "same_account"]);
  });

  test("with a foreign account is not found, names the field, and its reference stays free", async () => {
    const theirs = mainWalletId(testing.otherMerchant.environment.id);
    for (const [change, fields] of [
      [{ to: theirs }, ["to"]],
      [{ from: theirs }, ["from"]],
      [{ from: "no-uuid", to: strange }, ["from", "to"]],
    ] as const) {
      const reply = await move(change);
      expect([reply.statusCode, reply.json().code]).toEqual([404, "wallet_not_found"]);
      expect(reply.json().errors.map((error: { field: string }) => error.field)).toEqual(fields);
    }
    expect((await move()).statusCode).toBe(201);
  });

  test.each([0, -1, 0.001, 1e21, 10_000_000_000.01, "100", null])("the amount %j is refused", async (amount) => {
    const reply = await move({ amount });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    expect(reply.json().errors[0].field).toBe("amount");
  });

  test.each(["", "x".repeat(101), 5])("the reference %j is refused", async (reference) => {
    const reply = await move({ reference });
    expect(reply.json().errors[0].field).toBe("reference");
  });

  test("hundreds back and forth keep every kobo", async () => {
    const moves = Array.from({ length: 300 }, (_, place) => {
      const [from, to] = place % 3 === 0 ? [branch, main] : [main, branch];
      return move({ from, to, amount: 7.77, reference: `ping-${place}` });
    });
    const codes = (await Promise.all(moves)).map((reply) => reply.statusCode);
    expect(codes.every((code) => code === 201 || code === 422)).toBe(true);
    const [left, right] = [await availableIn(main), await availableIn(branch)];
    expect(Math.round((left + right) * 100)).toBe(100_000);
    expect(await inEnvironment(db, environment, verifyLedger)).toEqual([]);
  });
});
