import { describe, expect, test } from "vitest";
import { issueLiveKeyFor } from "../../../testing/keys.ts";
import { createPayingApp, freshReference } from "../../../testing/payments/paying-app.ts";
import { inEnvironment } from "../../platform/database/database.ts";

const { call, pay, work, balance, merchant, otherMerchant, db } = await createPayingApp();

type Item = Readonly<Record<string, unknown>>;

function item(change: Item = {}): Item {
  return { accountNumber: "0690000032", bankCode: "044", amount: 1000, reference: freshReference(), ...change };
}

function send(transfers: readonly Item[], change: Item = {}, options: Parameters<typeof call>[2] = {}) {
  const body = { batchReference: freshReference(), currency: "NGN", transfers, ...change };
  return call("POST", "/transfers/bulk", { ...options, body });
}

describe("a bulk transfer", () => {
  test("is accepted as a whole, in the order of the request", async () => {
    const before = await balance();
    const items = [item(), item({ bankCode: "000013", amount: 20_000 })];
    const batchReference = freshReference();
    const reply = await send(items, { batchReference });
    expect(reply.statusCode).toBe(201);
    expect(reply.json().data).toEqual({
      batchId: expect.any(String),
      batchReference,
      status: "processing",
      totalCount: 2,
      acceptedCount: 2,
      rejectedCount: 0,
      openCount: 2,
      totalAmount: 21_000,
      totalFee: 87.63,
      transfers: items.map(({ reference, amount }) => ({
        reference,
        id: expect.any(String),
        status: "pending",
        code: null,
        message: null,
        accountNumber: "0690000032",
        accountName: null,
        bankCode: expect.any(String),
        bankName: expect.any(String),
        amount,
      })),
    });
    expect((await balance()).available).toBeCloseTo(before.available - 21_087.63, 2);
  });

  test("is read back with its counts, and its end is an event with the same record", async () => {
    const items = [item(), item({ reference: freshReference("_FAIL") }), item({ accountNumber: "0000000000" })];
    const { batchId } = (await send(items, { narration: "October" })).json().data;
    await work();
    const reply = await call("GET", `/transfers/bulk/${batchId}`);
    expect(reply.statusCode).toBe(200);
    expect(reply.json().data).toMatchObject({
      status: "completed",
      counts: { pending: 0, processing: 0, completed: 1, failed: 2, reversed: 0 },
      completedAt: expect.any(String),
    });
    expect(reply.json().data.transfers.map(({ status, code }: Item) => [status, code])).toEqual([
      ["completed", null],
      ["failed", "nip_05"],
      ["failed", "account_not_found"],
    ]);
    const first = await call("GET", `/transfers/${reply.json().data.transfers[0].id}`);
    expect(first.json().data).toMatchObject({ batchId, narration: "October", accountName: expect.any(String) });
    const events = await inEnvironment(db, merchant.environment.id, (tx) =>
      tx.selectFrom("events").select(["event", "data"]).where("resource_id", "=", batchId).execute(),
    );
    expect(events).toEqual([{ event: "transfer.batch.completed", data: reply.json().data }]);
  });

  test("fails an item whose holder is another, and gives its money back", async () => {
    const before = await balance();
    const { batchId } = (await send([item({ accountName: "Somebody Else" })])).json().data;
    await work();
    const { transfers } = (await call("GET", `/transfers/bulk/${batchId}`)).json().data;
    expect(transfers[0]).toMatchObject({ status: "failed", code: "account_name_mismatch" });
    expect(await balance()).toEqual(before);
  });
});

describe("one bad item", () => {
  const bad: readonly (readonly [string, Item, string, string])[] = [
    ["a nine-digit account", { accountNumber: "069000003" }, "accountNumber", "validation_failed"],
    ["an amount in a string", { amount: "1000" }, "amount", "validation_failed"],
    ["no reference", { reference: undefined }, "reference", "validation_failed"],
    ["too little", { amount: 99.99 }, "amount", "amount_below_minimum"],
    ["too much", { amount: 10_000_000.01 }, "amount", "amount_above_maximum"],
    ["an unknown bank", { bankCode: "000" }, "bankCode", "unknown_bank"],
  ];

  test.each(bad)("(%s) refuses all", async (_, change, field, code) => {
    const before = await balance();
    const good = item();
    const reply = await send([good, item(change)]);
    expect(reply.statusCode).toBe(422);
    expect(reply.json().code).toBe(code === "validation_failed" ? code : "batch_refused");
    expect(reply.json().errors).toEqual([{ field: `transfers[1].${field}`, message: expect.any(String) }]);
    expect(reply.json().data).toMatchObject({ rejectedCount: 1, rejected: [{ index: 1, code }] });
    expect(await balance()).toEqual(before);
    expect((await call("GET", `/transfers/verify?reference=${good["reference"]}`)).statusCode).toBe(404);
  });

  test.each(bad)("(%s) is left out when the others shall go on", async (_, change, __, code) => {
    const [first, last] = [item(), item()];
    const reply = await send([first, item(change), last], { onInvalid: "continue" });
    expect(reply.statusCode).toBe(201);
    expect(reply.json().data).toMatchObject({ totalCount: 3, acceptedCount: 2, rejectedCount: 1, totalAmount: 2000 });
    const { transfers } = reply.json().data;
    expect(transfers.map((shown: Item) => shown["status"])).toEqual(["pending", "rejected", "pending"]);
    expect(transfers[1]).toMatchObject({ id: null, code, message: expect.stringMatching(/\S/) });
    expect([transfers[0].reference, transfers[2].reference]).toEqual([first["reference"], last["reference"]]);
  });

  test("repeats a reference of the same request", async () => {
    const twice = item();
    const refused = await send([twice, item(), twice]);
    expect([refused.statusCode, refused.json().code]).toEqual([422, "batch_refused"]);
    expect(refused.json().errors).toEqual([{ field: "transfers[2].reference", message: expect.any(String) }]);
    const reply = await send([twice, item(), twice], { onInvalid: "continue" });
    expect(reply.json().data.transfers.map((shown: Item) => [shown["status"], shown["code"]])).toEqual([
      ["pending", null],
      ["pending", null],
      ["rejected", "duplicate_reference"],
    ]);
  });

  test("has a reference that was used before, and is not paid again", async () => {
    const used = freshReference();
    await pay({ reference: used });
    const refused = await send([item(), item({ reference: used })]);
    expect([refused.statusCode, refused.json().code]).toEqual([422, "batch_refused"]);
    expect(refused.json().data.rejected).toMatchObject([{ index: 1, reference: used, code: "reference_conflict" }]);
    const before = await balance();
    const reply = await send([item({ reference: used })], { onInvalid: "continue" });
    expect(reply.json().data).toMatchObject({ status: "completed", acceptedCount: 0, rejectedCount: 1, totalFee: 0 });
    expect(await balance()).toEqual(before);
  });
});

describe("a bulk request is refused", () => {
  test.each([
    ["without items", { transfers: [] }, "transfers"],
    ["with 5,001 items", { transfers: Array.from({ length: 5_001 }, () => item()) }, "transfers"],
    ["with an item that is a word", { transfers: ["pay"] }, "transfers[0]"],
    ["without a reference", { batchReference: undefined }, "batchReference"],
    ["with a reference of 101 characters", { batchReference: "b".repeat(101) }, "batchReference"],
    ["in dollars", { currency: "USD" }, "currency"],
    ["with a third way of going on", { onInvalid: "perhaps" }, "onInvalid"],
  ])("%s", async (_, change, field) => {
    const reply = await send([item()], change);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    expect(reply.json().errors.map((error: Item) => error["field"])).toContain(field);
  });

  test("as a whole for lack of funds, in either way", async () => {
    for (const onInvalid of ["refuse", "continue"]) {
      const batchReference = freshReference();
      const reply = await send([item(), item()], { onInvalid, batchReference }, { key: otherMerchant.secretKey });
      expect([reply.statusCode, reply.json().code]).toEqual([422, "insufficient_funds"]);
    }
    const left = await call("GET", "/wallets/balance", { key: otherMerchant.secretKey });
    expect(left.json().data).toMatchObject({ available: 0, held: 0 });
    expect((await call("GET", "/transfers", { key: otherMerchant.secretKey })).json().data).toEqual([]);
  });

  test("in a live environment without a rail", async () => {
    const key = await issueLiveKeyFor(db, merchant.merchant.id);
    const reply = await send([item()], {}, { key });
    expect([reply.statusCode, reply.json().code]).toEqual([503, "rail_not_configured"]);
  });

  test("above 8 MiB", async () => {
    const reply = await send([item({ note: "x".repeat(8 * 1024 * 1024) })]);
    expect([reply.statusCode, reply.json().code]).toEqual([413, "body_too_large"]);
  });
});

describe("a repeated bulk request", () => {
  test("with the same reference answers 200 with the batch as it is now", async () => {
    const [items, batchReference] = [[item(), item({ amount: 1 })], freshReference()];
    const change = { batchReference, onInvalid: "continue" };
    const first = await send(items, change);
    await work();
    const before = await balance();
    const again = await send(items, change);
    expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    expect(again.json().data).toMatchObject({ batchId: first.json().data.batchId, status: "completed" });
    expect(again.json().data.transfers.map((shown: Item) => shown["status"])).toEqual(["completed", "rejected"]);
    expect(await balance()).toEqual(before);
  });

  test.each([
    [{ narration: "other" }, ["narration"]],
    [{ onInvalid: "continue" }, ["onInvalid"]],
    [{ transfers: [item()] }, ["transfers"]],
  ])("with other content %j is a conflict that names %j", async (change, fields) => {
    const batchReference = freshReference();
    const items = [item()];
    await send(items, { batchReference });
    const reply = await send(items, { batchReference, ...change });
    expect([reply.statusCode, reply.json().code]).toEqual([409, "reference_conflict"]);
    expect(reply.json().data).toEqual({ fields });
  });

  test("twenty times at once is one batch and one debit", async () => {
    const before = await balance();
    const [items, batchReference] = [[item(), item()], freshReference()];
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(items, { batchReference })));
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(replies.map((reply) => reply.json().data.batchId)).size).toBe(1);
    expect((await balance()).available).toBeCloseTo(before.available - 2021.5, 2);
  });

  test("under an Idempotency-Key gives the first reply again", async () => {
    const [items, batchReference] = [[item()], freshReference()];
    const headers = { "idempotency-key": `bulk-${batchReference}` };
    const first = await send(items, { batchReference }, { headers });
    await work();
    const again = await send(items, { batchReference }, { headers });
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
  });
});

test("shows whom each item was to pay, and the rows that were left out with the reason", async () => {
  const rejected = item({ accountNumber: "12345", amount: 700, accountName: "Eze Obi" });
  const leftOut = [{ reference: "row 4", reason: "Another holder.", accountNumber: "0123456789", amount: 90.5 }];
  const made = await send([item(), rejected], { onInvalid: "continue", leftOut });
  expect(made.statusCode, made.body).toBe(201);
  expect(made.json().data).toMatchObject({ totalCount: 3, acceptedCount: 1, rejectedCount: 2, totalAmount: 1_000 });
  await work();
  const [paid, ...others] = (await call("GET", `/transfers/bulk/${made.json().data.batchId}`)).json().data.transfers;
  expect(paid).toMatchObject({ accountName: expect.stringMatching(/\w/), bankName: "Access Bank", amount: 1_000 });
  expect(others).toMatchObject([
    { status: "rejected", code: "validation_failed", accountNumber: "12345", accountName: "Eze Obi", amount: 700 },
    {
      reference: "row 4",
      status: "rejected",
      code: "left_out",
      message: "Another holder.",
      bankName: null,
      amount: 90.5,
    },
  ]);
  // What was left out uses no reference up.
  expect((await send([item({ reference: "row 4" })])).statusCode).toBe(201);
});

describe("the list of bulk transfers", () => {
  const list = async (query: string) => (await call("GET", `/transfers/bulk?${query}`)).json();

  test("is newest first, in pages, without items", async () => {
    const references = [];
    for (const _ of [1, 2, 3]) references.push((await send([item()])).json().data.batchReference);
    const first = await list("limit=2");
    expect(first.data.map(({ batchReference }: Item) => batchReference)).toEqual(references.toReversed().slice(0, 2));
    expect(first.data[0]).toMatchObject({ status: "processing", openCount: 1, totalAmount: 1_000, completedAt: null });
    expect(first.data[0]).not.toHaveProperty("transfers");
    expect(first.pagination).toMatchObject({ currentPage: 1, itemsPerPage: 2, hasNextPage: true });
    const second = await list("limit=2&page=2");
    expect(second.data[0].batchReference).toBe(references[0]);
    expect(second.pagination.totalItems).toBe(first.pagination.totalItems);
  });

  test("is narrowed down by state, reference and time, all at once", async () => {
    const { batchId, batchReference } = (await send([item()])).json().data;
    expect((await list(`reference=${batchReference}&status=processing`)).data).toMatchObject([{ batchId }]);
    await work();
    expect((await list(`reference=${batchReference}&status=processing`)).pagination.totalItems).toBe(0);
    expect((await list(`reference=${batchReference}&status=completed&from=2020-01-01`)).data).toMatchObject([
      { batchId, status: "completed", openCount: 0 },
    ]);
    expect((await list(`reference=${batchReference}&to=2020-01-01`)).data).toEqual([]);
    expect((await list("reference=nobodys")).pagination.totalItems).toBe(0);
    expect((await list("from=2026-02-01&to=2026-01-01")).code).toBe("validation_failed");
    expect((await list("status=pending")).code).toBe("validation_failed");
  });

  test("of another merchant is its own", async () => {
    await send([item()]);
    const theirs = await call("GET", "/transfers/bulk", { key: otherMerchant.secretKey });
    expect(theirs.json()).toMatchObject({ data: [], pagination: { totalItems: 0 } });
  });
});

test("another merchant does not find a batch", async () => {
  const { batchId } = (await send([item()])).json().data;
  for (const id of [batchId, "01932c70-4d5e-7f60-8a1b-2c3d4e5f6071", "nothing"]) {
    const reply = await call("GET", `/transfers/bulk/${id}`, { key: otherMerchant.secretKey });
    expect([reply.statusCode, reply.json().code]).toEqual([404, "batch_not_found"]);
  }
});

test("5,000 items are taken in one request", async () => {
  const items = Array.from({ length: 5_000 }, (_, n) => item({ accountNumber: String(1_000_000_000 + n) }));
  const reply = await send(items);
  expect(reply.statusCode).toBe(201);
  expect(reply.json().data).toMatchObject({ acceptedCount: 5_000, totalAmount: 5_000_000 });
});
