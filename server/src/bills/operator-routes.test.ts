import { describe, expect, test } from "vitest";
import { createBillsApp, freshReference } from "../../testing/payments/bills-app.ts";

const app = await createBillsApp();
const { call, operate, vend, read, work, balance, events, differences, merchant } = app;

async function unknownBill(category = "airtime"): Promise<string> {
  const { id } = (await vend(category, { reference: freshReference("_PENDING") })).json().data;
  await work();
  return id;
}

const resolve = (id: string, body: unknown, headers = {}) =>
  operate("POST", `/operator/bills/${id}/resolve`, body, headers);
const evidence = "Settlement report, line 412";

describe("unknown outcomes", () => {
  test("list bills beside payouts, oldest first, with the version that priced them", async () => {
    const id = await unknownBill("electricity");
    await call("POST", "/sandbox/clock/advance", { body: { seconds: 100 } });
    const payout = { accountNumber: "0690000032", bankCode: "044", amount: 100, currency: "NGN" };
    const sent = await call("POST", "/transfers", { body: { ...payout, reference: "payout_PENDING" } });
    for (const loop of app.tasks.loops) {
      await loop.step();
      await loop.drain?.();
    }
    const found = (await operate("GET", "/operator/unknowns?olderThan=0")).json().data;
    expect(found.map((one: { id: string }) => one.id)).toEqual([id, sent.json().data.id]);
    expect(found[0]).toEqual({
      type: "bill",
      id,
      environmentId: merchant.environment.id,
      environment: "SANDBOX",
      reference: expect.stringMatching(/_PENDING$/),
      amount: 5000,
      category: "electricity",
      provider: "ikeja-electric",
      catalogueVersion: 1,
      queries: expect.any(Number),
      sentAt: expect.any(String),
      ageSeconds: expect.any(Number),
      rail: null,
      clocks: [{ name: "refunded", seconds: 86_400, over: false }],
    });
    const metrics = (await call("GET", "/metrics", { key: null })).body;
    expect(metrics).toContain('jara_unknown_bills{environment="SANDBOX"} 1');
    await resolve(id, { outcome: "failed", evidence });
  });
});

describe("resolving a bill", () => {
  test("as completed books it as delivered, with its token, and credits the commission", async () => {
    const id = await unknownBill("electricity");
    const before = await balance();
    const token = "01234567890123456789";
    const reply = await resolve(id, { outcome: "completed", evidence, token, units: "12.5", receiptNumber: "R-1" });
    expect(reply.statusCode).toBe(200);
    expect(reply.json().data).toMatchObject({ id, status: "successful", token, units: 12.5, receiptNumber: "R-1" });
    expect(await read(id)).toEqual(reply.json().data);
    expect(await events(id)).toEqual(["bill.successful"]);
    const after = await balance();
    expect(after.available).toBeCloseTo(before.available + 50, 2);
    expect(after.held).toBeCloseTo(before.held - 5000, 2);
    const audit = (await operate("GET", "/operator/audit?limit=1")).json().data;
    expect(audit).toMatchObject([
      { action: "bill.resolve", subjectType: "bill", subjectId: id, detail: { outcome: "completed", evidence } },
    ]);
    expect(await differences()).toEqual([]);
  });

  test("as failed gives the money back", async () => {
    const before = await balance();
    const id = await unknownBill();
    const reply = await resolve(id, { outcome: "failed", evidence });
    expect(reply.json().data).toMatchObject({ status: "failed", failureReason: { code: "resolved_by_operator" } });
    expect(await balance()).toEqual(before);
  });

  test("is final: a worker that hears from the biller later changes nothing", async () => {
    const id = await unknownBill();
    await resolve(id, { outcome: "failed", evidence });
    await app.advance(2 * 86_400);
    expect(await read(id)).toMatchObject({ status: "failed" });
    expect(await events(id)).toEqual(["bill.failed"]);
  });

  test("twice is refused, replayed under its key, and impossible before it was sent", async () => {
    const id = await unknownBill();
    const headers = { "idempotency-key": freshReference() };
    const body = { outcome: "failed", evidence };
    const first = await resolve(id, body, headers);
    expect((await resolve(id, body, headers)).body).toBe(first.body);
    const second = await resolve(id, { outcome: "completed", evidence });
    expect([second.statusCode, second.json().code, second.json().data]).toEqual([
      409,
      "invalid_state",
      { status: "failed" },
    ]);
    const waiting = (await vend("airtime")).json().data.id;
    expect((await resolve(waiting, body)).json().code).toBe("invalid_state");
  });

  test("two at once give one outcome", async () => {
    const id = await unknownBill();
    const replies = await Promise.all([
      resolve(id, { outcome: "failed", evidence }),
      resolve(id, { outcome: "completed", evidence }),
    ]);
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(await events(id)).toHaveLength(1);
    expect(await differences()).toEqual([]);
  });

  test.each([
    ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", { outcome: "failed", evidence }, 404, "bill_not_found"],
    ["nothing", { outcome: "failed", evidence }, 404, "bill_not_found"],
    ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", { outcome: "lost" }, 422, "validation_failed"],
    ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", { outcome: "failed", evidence: " " }, 422, "validation_failed"],
  ])("%s with %j is refused", async (id, body, status, code) => {
    const reply = await resolve(id, body);
    expect([reply.statusCode, reply.json().code]).toEqual([status, code]);
  });

  test("is nothing for merchants", async () => {
    const id = await unknownBill();
    const reply = await call("POST", `/operator/bills/${id}/resolve`, { body: { outcome: "failed", evidence } });
    expect(reply.statusCode).toBe(401);
  });
});
