import { describe, expect, test } from "vitest";
import { createBillsApp, freshReference } from "../../../testing/payments/bills-app.ts";

const app = await createBillsApp();
const { call, vend, work, balance, differences, otherMerchant } = app;

describe("the same reference", () => {
  test("with the same content answers 200 with the record as it is now, and buys nothing", async () => {
    const reference = freshReference();
    const first = await vend("airtime", { reference });
    await work();
    const after = await balance();
    const again = await vend("airtime", { reference, network: "mtn", phoneNumber: "+234 803 123 4567" });
    expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    expect(again.json().data).toMatchObject({ id: first.json().data.id, status: "successful" });
    expect(await balance()).toEqual(after);
  });

  test.each([
    ["airtime", { amount: 1000.5 }, ["amount"]],
    ["airtime", { network: "GLO", phoneNumber: "08051234567" }, ["network", "phoneNumber"]],
    ["data", { planCode: "mtn-7gb-30d" }, ["planCode"]],
    ["electricity", { meterType: "postpaid", meterNumber: "45012345679" }, ["meterNumber", "meterType"]],
    ["electricity", { provider: "eko-electric", phoneNumber: "08051234567" }, ["phoneNumber", "provider"]],
  ])("for %s with %j is a conflict that names %j", async (category, changed, fields) => {
    const reference = freshReference();
    expect((await vend(category, { reference })).statusCode).toBe(201);
    const reply = await vend(category, { reference, ...changed });
    expect([reply.statusCode, reply.json().code]).toEqual([409, "reference_conflict"]);
    expect(reply.json().data.fields.sort()).toEqual(fields);
  });

  test("in another category is a conflict", async () => {
    const reference = freshReference();
    await vend("airtime", { reference });
    const reply = await vend("data", { reference });
    expect([reply.statusCode, reply.json().data.fields]).toEqual([409, ["category", "planCode"]]);
  });

  test("is recognised also when today's catalogue or bounds would refuse what it asks", async () => {
    const reference = freshReference();
    await vend("airtime", { reference });
    const reply = await vend("airtime", { reference, amount: 1 });
    expect([reply.statusCode, reply.json().code]).toEqual([409, "reference_conflict"]);
  });

  test("of another merchant is another bill, which is 404 for us", async () => {
    const reference = freshReference();
    const ours = (await vend("airtime", { reference })).json().data;
    const key = otherMerchant.secretKey;
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 5000 }, key });
    const body = { network: "MTN", phoneNumber: "08031234567", amount: 1000, reference };
    const theirs = await call("POST", "/bills/airtime/vend", { body, key });
    expect(theirs.statusCode).toBe(201);
    expect(theirs.json().data.id).not.toBe(ours.id);
    for (const path of [`/bills/${theirs.json().data.id}`, "/bills/not-a-uuid"]) {
      const reply = await call("GET", path);
      expect([reply.statusCode, reply.json().code]).toEqual([404, "bill_not_found"]);
    }
  });

  test("of a transfer is free for a bill", async () => {
    const reference = freshReference();
    const payout = { accountNumber: "0690000032", bankCode: "044", amount: 100, currency: "NGN", reference };
    expect((await call("POST", "/transfers", { body: payout })).statusCode).toBe(201);
    expect((await vend("airtime", { reference })).statusCode).toBe(201);
  });
});

test("a hundred identical vends at once are one bill: one 201 and ninety-nine 200", async () => {
  await work();
  const before = await balance();
  const reference = freshReference();
  const replies = await Promise.all(Array.from({ length: 100 }, () => vend("airtime", { reference })));
  expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(99);
  expect(new Set(replies.map((reply) => reply.json().data.id)).size).toBe(1);
  expect(await balance()).toEqual({ available: before.available - 1000, held: before.held + 1000 });
  expect(await differences()).toEqual([]);
});

describe("the same Idempotency-Key", () => {
  test("replays the first reply to the byte, and refuses another body", async () => {
    const body = { reference: freshReference() };
    const headers = { "idempotency-key": freshReference() };
    const first = await vend("airtime", body, headers);
    await work();
    const again = await vend("airtime", body, headers);
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    const other = await vend("airtime", { reference: freshReference() }, headers);
    expect([other.statusCode, other.json().code]).toEqual([409, "idempotency_key_conflict"]);
  });

  test("sent twice at once makes one bill", async () => {
    const body = { reference: freshReference() };
    const headers = { "idempotency-key": freshReference() };
    const [one, other] = await Promise.all([vend("airtime", body, headers), vend("airtime", body, headers)]);
    expect([one.statusCode, other.statusCode]).toEqual([201, 201]);
    expect(one.body).toBe(other.body);
  });

  test("is not used up by a refusal", async () => {
    const headers = { "idempotency-key": freshReference() };
    const reference = freshReference();
    expect((await vend("airtime", { reference, amount: 1 }, headers)).statusCode).toBe(422);
    expect((await vend("airtime", { reference }, headers)).statusCode).toBe(201);
  });

  test("replays a validation", async () => {
    const body = { provider: "dstv", smartCardNumber: "7023456789" };
    const headers = { "idempotency-key": freshReference() };
    const first = await call("POST", "/bills/tv/validate", { body, headers });
    const again = await call("POST", "/bills/tv/validate", { body, headers });
    expect(again.body).toBe(first.body);
    expect((await call("POST", "/bills/tv/validate", { body })).body).not.toBe(first.body);
  });
});
