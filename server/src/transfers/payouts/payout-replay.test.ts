import { describe, expect, test } from "vitest";
import { issueKeyFor } from "../../../testing/keys.ts";
import { createPayingApp, freshReference } from "../../../testing/payments/paying-app.ts";
import { asOwner } from "../../../testing/work.ts";

const { call, pay, work, balance, otherMerchant, db, ownerUrl } = await createPayingApp();

describe("a repeated payout", () => {
  test("with the same reference answers 200 with the record as it is now, and takes nothing", async () => {
    const reference = freshReference();
    const body = { reference, externalReference: freshReference(), metadata: { b: 1, a: "x" } };
    const first = await pay(body);
    await work();
    const before = await balance();
    const again = await pay({ ...body, metadata: { a: "x", b: 1 } });
    expect(again.statusCode).toBe(200);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.json().data).toMatchObject({ id: first.json().data.id, status: "completed" });
    expect(await balance()).toEqual(before);
  });

  test("is found although the bank has gone away since", async () => {
    const reference = freshReference();
    const first = await pay({ reference, bankCode: "058" });
    await call("PUT", "/sandbox/banks/058/health", { body: { status: "down" } });
    expect((await pay({ bankCode: "058" })).json().code).toBe("bank_unavailable");
    const again = await pay({ reference, bankCode: "058" });
    expect([again.statusCode, again.json().data.id]).toEqual([200, first.json().data.id]);
    await call("PUT", "/sandbox/banks/058/health", { body: { status: "up" } });
  });

  test("is found although a rule of today would refuse it", async () => {
    const [small, elsewhere] = [freshReference(), freshReference()];
    const first = await pay({ reference: small });
    const second = await pay({ reference: elsewhere });
    // As if the smallest payout had been less, and the bank had been in the directory, when they were accepted.
    await asOwner(
      ownerUrl,
      `update transfers set amount = 5000 where reference = '${small}';
       update transfers set bank_code = '123' where reference = '${elsewhere}'`,
    );
    const again = await pay({ reference: small, amount: 50 });
    expect([again.statusCode, again.json().data.id]).toEqual([200, first.json().data.id]);
    const gone = await pay({ reference: elsewhere, bankCode: "123" });
    expect([gone.statusCode, gone.json().data.id]).toEqual([200, second.json().data.id]);
    expect((await pay({ amount: 50 })).json().code).toBe("amount_below_minimum");
    expect((await pay({ bankCode: "123" })).json().code).toBe("unknown_bank");
  });

  test.each([
    [{ amount: 2500.51 }, ["amount"]],
    [{ accountNumber: "0010246780", narration: "other" }, ["accountNumber", "narration"]],
    [{ bankCode: "058" }, ["bankCode"]],
    [{ metadata: { a: 1 } }, ["metadata"]],
    [{ externalReference: "another" }, ["externalReference"]],
  ])("with other content %j is a conflict that names %j", async (change, fields) => {
    const reference = freshReference();
    await pay({ reference });
    const before = await balance();
    const reply = await pay({ reference, ...change });
    expect([reply.statusCode, reply.json().code]).toEqual([409, "reference_conflict"]);
    expect(reply.json().data).toEqual({ fields });
    expect(await balance()).toEqual(before);
  });

  test("under a reference that another payout has as its externalReference is a conflict", async () => {
    const externalReference = freshReference();
    await pay({ externalReference });
    const reply = await pay({ reference: externalReference });
    expect([reply.statusCode, reply.json().code]).toEqual([409, "reference_conflict"]);
  });

  test("of another merchant under the same reference is its own payout", async () => {
    const reference = freshReference();
    const mine = await pay({ reference });
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 10_000 }, key: otherMerchant.secretKey });
    const theirs = await pay({ reference }, { key: otherMerchant.secretKey });
    expect(theirs.statusCode).toBe(201);
    expect(theirs.json().data.id).not.toBe(mine.json().data.id);
  });

  test("a hundred times at once is one payout: one 201, 99 times 200, one id, one debit", async () => {
    const before = await balance();
    const reference = freshReference();
    const replies = await Promise.all(Array.from({ length: 100 }, () => pay({ reference })));
    const statuses = replies.map((reply) => reply.statusCode).sort();
    expect(statuses).toEqual([...Array(99).fill(200), 201]);
    expect(new Set(replies.map((reply) => reply.json().data.id)).size).toBe(1);
    expect(replies.filter((reply) => reply.headers["idempotent-replayed"] === "true")).toHaveLength(99);
    expect((await balance()).available).toBeCloseTo(before.available - 2511.25, 2);
  });
});

describe("an Idempotency-Key", () => {
  test("gives the first reply again, to the byte, whatever became of the payout", async () => {
    const reference = freshReference();
    const headers = { "idempotency-key": `key-${reference}` };
    const first = await pay({ reference }, { headers });
    await work();
    const again = await pay({ reference }, { headers });
    expect(again.statusCode).toBe(201);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.body).toBe(first.body);
  });

  test("stands for one request", async () => {
    const headers = { "idempotency-key": `key-${freshReference()}` };
    await pay({}, { headers });
    const other = await pay({}, { headers });
    expect([other.statusCode, other.json().code]).toEqual([409, "idempotency_key_conflict"]);
  });

  test("is free again after a refusal", async () => {
    const reference = freshReference();
    const headers = { "idempotency-key": `key-${reference}` };
    const key = await issueKeyFor(db, otherMerchant.environment.id);
    const refused = await pay({ reference, amount: 9_000_000 }, { headers, key });
    expect(refused.json().code).toBe("insufficient_funds");
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 9_100_000 }, key });
    expect((await pay({ reference, amount: 9_000_000 }, { headers, key })).statusCode).toBe(201);
  });

  test("makes fifty requests at once one payout with one reply", async () => {
    const reference = freshReference();
    const headers = { "idempotency-key": `key-${reference}` };
    const before = await balance();
    const replies = await Promise.all(Array.from({ length: 50 }, () => pay({ reference }, { headers })));
    expect(new Set(replies.map((reply) => reply.body)).size).toBe(1);
    expect(replies.every((reply) => reply.statusCode === 201)).toBe(true);
    expect(replies.filter((reply) => reply.headers["idempotent-replayed"] === undefined)).toHaveLength(1);
    expect((await balance()).available).toBeCloseTo(before.available - 2511.25, 2);
  });
});
