import { describe, expect, test } from "vitest";
import { createPayingApp, freshReference } from "../../../testing/payments/paying-app.ts";

const { call, operate, pay, work, balance, read, merchant } = await createPayingApp();

/** A payout that the bank owes an answer about, sent this long ago. */
async function payUnknown(): Promise<string> {
  const { id } = (await pay({ reference: freshReference("_PENDING") })).json().data;
  await work();
  return id;
}

async function unknowns(query = ""): Promise<{ id: string; ageSeconds: number }[]> {
  const reply = await operate("GET", `/operator/unknowns${query}`);
  expect(reply.statusCode).toBe(200);
  return reply.json().data;
}

const resolve = (id: string, body: unknown, headers = {}) =>
  operate("POST", `/operator/transfers/${id}/resolve`, body, headers);

describe("unknown outcomes", () => {
  test("are listed by age once they are a minute old, and counted for the monitor", async () => {
    const older = await payUnknown();
    await call("POST", "/sandbox/clock/advance", { body: { seconds: 30 } });
    const younger = await payUnknown();
    expect(await unknowns()).toEqual([]);
    expect((await unknowns("?olderThan=0")).map(({ id }) => id)).toEqual([older, younger]);
    await call("POST", "/sandbox/clock/advance", { body: { seconds: 45 } });
    expect(await unknowns()).toEqual([
      {
        type: "transfer",
        id: older,
        environmentId: merchant.environment.id,
        environment: "SANDBOX",
        reference: expect.stringMatching(/_PENDING$/),
        amount: 2500.5,
        bankCode: "044",
        bankName: "Access Bank",
        sessionId: expect.stringMatching(/^\d{30}$/),
        queries: expect.any(Number),
        sentAt: expect.any(String),
        ageSeconds: expect.any(Number),
        rail: null,
        clocks: [
          { name: "returned", seconds: 600, over: false },
          { name: "resolved", seconds: 86_400, over: false },
        ],
      },
    ]);
    const metrics = (await call("GET", "/metrics", { key: null })).body;
    expect(metrics).toContain('jara_unknown_transfers{environment="SANDBOX"} 1');
    expect(metrics).toContain('jara_unknown_transfers{environment="LIVE"} 0');
    await call("POST", "/sandbox/clock/advance", { body: { seconds: 60 } });
    expect((await unknowns()).map(({ id }) => id)).toEqual([older, younger]);
    expect(await unknowns("?limit=1")).toHaveLength(1);
  });

  test.each(["?limit=0", "?limit=1001", "?olderThan=-1", "?olderThan=soon"])("refuse %s", async (query) => {
    const reply = await operate("GET", `/operator/unknowns${query}`);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
  });

  test("are nothing for merchants", async () => {
    expect((await call("GET", "/operator/unknowns")).statusCode).toBe(401);
    const id = await payUnknown();
    const path = `/operator/transfers/${id}/resolve`;
    expect((await call("POST", path, { body: { outcome: "failed", evidence: "mine" } })).statusCode).toBe(401);
  });
});

describe("resolving a payout", () => {
  test("as completed books it as paid, audited with its evidence", async () => {
    const id = await payUnknown();
    const before = await balance();
    const reply = await resolve(id, { outcome: "completed", evidence: "Settlement report, line 412" });
    expect(reply.statusCode).toBe(200);
    expect(reply.json().data).toMatchObject({ id, status: "completed", failureReason: null });
    expect(await read(id)).toEqual(reply.json().data);
    const after = await balance();
    expect(after.available).toBe(before.available);
    expect(after.held).toBeCloseTo(before.held - 2511.25, 2);
    const audit = (await operate("GET", "/operator/audit?limit=1")).json().data;
    expect(audit).toMatchObject([
      {
        action: "transfer.resolve",
        subjectType: "transfer",
        subjectId: id,
        environmentId: merchant.environment.id,
        detail: { outcome: "completed", evidence: "Settlement report, line 412" },
      },
    ]);
  });

  test("as failed gives amount and fees back", async () => {
    const before = await balance();
    const id = await payUnknown();
    const reply = await resolve(id, { outcome: "failed", evidence: "Letter of the bank" });
    expect(reply.json().data).toMatchObject({ status: "failed", failureReason: { code: "resolved_by_operator" } });
    expect(await balance()).toEqual(before);
    await call("POST", "/sandbox/clock/advance", { body: { days: 2 } });
    // The bank pays after a day what nobody decided about; we hold on to what the operator decided.
    expect(await read(id)).toMatchObject({ status: "failed" });
    expect((await balance()).available).toBe(before.available);
  });

  test("works on a stopped clock too", async () => {
    await call("PUT", "/sandbox/clock", { body: { mode: "frozen", seed: "resolve" } });
    const { id } = (await pay({ reference: freshReference("_PENDING") })).json().data;
    expect(await read(id)).toMatchObject({ status: "processing" });
    const reply = await resolve(id, { outcome: "failed", evidence: "Letter" });
    expect(reply.statusCode).toBe(200);
    expect((await pay()).statusCode).toBe(201);
    await call("PUT", "/sandbox/clock", { body: { mode: "running" } });
  });

  test("happens once, however many say so", async () => {
    const before = await balance();
    const id = await payUnknown();
    const body = { outcome: "failed", evidence: "Letter" };
    const replies = await Promise.all(Array.from({ length: 10 }, () => resolve(id, body)));
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(await balance()).toEqual(before);
    const trail = (await operate("GET", "/operator/audit?limit=100")).json().data;
    expect(trail.filter((entry: { subjectId: string }) => entry.subjectId === id)).toHaveLength(1);
  });

  test("replays under an Idempotency-Key", async () => {
    const id = await payUnknown();
    const headers = { "idempotency-key": `resolve-${id}` };
    const first = await resolve(id, { outcome: "completed", evidence: "Letter" }, headers);
    const again = await resolve(id, { outcome: "completed", evidence: "Letter" }, headers);
    expect([again.statusCode, again.body]).toEqual([200, first.body]);
  });

  test("is refused for a payout that is not in processing", async () => {
    const { id } = (await pay()).json().data;
    const evidence = "Letter";
    const waiting = await resolve(id, { outcome: "failed", evidence });
    expect([waiting.statusCode, waiting.json().code]).toEqual([409, "invalid_state"]);
    await work();
    const done = await resolve(id, { outcome: "failed", evidence });
    expect(done.json()).toMatchObject({ code: "invalid_state", data: { status: "completed" } });
  });

  test.each([
    [{ outcome: "failed" }, "evidence"],
    [{ outcome: "failed", evidence: "  " }, "evidence"],
    [{ outcome: "reversed", evidence: "Letter" }, "outcome"],
  ])("is refused with %j", async (body, field) => {
    const reply = await resolve(await payUnknown(), body);
    expect([reply.statusCode, reply.json().errors[0].field]).toEqual([422, field]);
  });

  test.each(["01932c70-4d5e-7f60-8a1b-2c3d4e5f6071", "nothing"])("does not find %s", async (id) => {
    const reply = await resolve(id, { outcome: "failed", evidence: "Letter" });
    expect([reply.statusCode, reply.json().code]).toEqual([404, "transfer_not_found"]);
  });
});
