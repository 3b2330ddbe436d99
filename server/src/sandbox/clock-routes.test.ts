import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../../testing/app.ts";
import { createMerchant, type TestMerchant } from "../../testing/factories.ts";
import { asOwner, eventually, silentLog } from "../../testing/work.ts";
import { type Database, inEnvironment } from "../platform/database/database.ts";
import { askForAdvance } from "../platform/time/clock-advances.ts";
import { createClockRepair } from "../platform/time/clock-repair.ts";
import { createEnvironmentLocks } from "../platform/time/environment-lock.ts";
import { schedule } from "../platform/work/agenda.ts";
import type { Task } from "../platform/work/jobs.ts";

const kind = "test.note";
const dawn = "2026-11-01T06:00:00.000Z";
let testApp: TestApp;
let db: Database;
let merchant: TestMerchant;
let ran: string[];
let failing = false;

async function handle(task: Task): Promise<void> {
  if (failing) throw new Error("the rail is away");
  await inEnvironment(db, task.environmentId, async (tx) => {
    ran.push(`${task.subject} at ${tx.environment.clock.now().toISOString()}`);
  });
}

beforeAll(async () => {
  testApp = await createTestApp({ kinds: new Map([[kind, { handle }]]) });
  db = testApp.db;
});

beforeEach(async () => {
  ran = [];
  failing = false;
  merchant = await createMerchant(db);
});

async function send(method: "GET" | "PUT" | "POST", path: string, body?: unknown, headers = {}) {
  const reply = await testApp.call(method, path, { body, headers, key: merchant.secretKey });
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers };
}

const freeze = (now = dawn) => send("PUT", "/sandbox/clock", { mode: "frozen", now, seed: "s" });
const advance = (body: unknown, headers = {}) => send("POST", "/sandbox/clock/advance", body, headers);

function book(subject: string, dueAt: string): Promise<void> {
  return inEnvironment(db, merchant.environment.id, (tx) => schedule(tx, [{ kind, subject, dueAt: new Date(dueAt) }]));
}

describe("GET /sandbox/clock", () => {
  test("tells that a new sandbox runs at real time", async () => {
    const { status, body } = await send("GET", "/sandbox/clock");
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: true, data: { mode: "running", seed: null, nextDueAt: null } });
    expect(Math.abs(Date.parse(body.data.now) - Date.now())).toBeLessThan(60_000);
  });

  test("tells when the next thing falls due", async () => {
    await book("a", "2090-01-01T00:00:00.000Z");
    expect((await send("GET", "/sandbox/clock")).body.data.nextDueAt).toBe("2090-01-01T00:00:00.000Z");
  });

  test("refuses a live key, and so does every other path of the clock", async () => {
    const environment = await testApp.operate("POST", `/operator/merchants/${merchant.merchant.id}/environments`, {
      kind: "LIVE",
      name: "Live",
    });
    const keys = `/operator/environments/${environment.json().data.id}/keys`;
    const { key } = (await testApp.operate("POST", keys, { name: "Live" })).json().data;
    const replies = await Promise.all([
      testApp.call("GET", "/sandbox/clock", { key }),
      testApp.call("PUT", "/sandbox/clock", { key, body: { mode: "frozen" } }),
      testApp.call("POST", "/sandbox/clock/advance", { key, body: { days: 1 } }),
    ]);
    for (const reply of replies) {
      expect(reply.statusCode).toBe(403);
      expect(reply.json().code).toBe("sandbox_only");
    }
  });

  test("needs a key", async () => {
    expect((await testApp.call("GET", "/sandbox/clock", { key: null })).statusCode).toBe(401);
  });
});

describe("PUT /sandbox/clock", () => {
  test("stops the clock at a moment, with a seed", async () => {
    const { status, body } = await freeze();
    expect(status).toBe(200);
    expect(body.data).toEqual({ now: dawn, mode: "frozen", seed: "s", nextDueAt: null });
    expect((await send("GET", "/sandbox/clock")).body.data).toEqual(body.data);
  });

  test("lets the clock run on from where it stands", async () => {
    await freeze();
    const { body } = await send("PUT", "/sandbox/clock", { mode: "running" });
    expect(body.data.mode).toBe("running");
    expect(Date.parse(body.data.now) - Date.parse(dawn)).toBeLessThan(60_000);
  });

  test("runs what the new time has passed", async () => {
    await freeze();
    await book("a", "2026-11-01T07:00:00.000Z");
    const { body } = await freeze("2026-11-01T08:00:00.000Z");
    expect(ran).toEqual(["a at 2026-11-01T08:00:00.000Z"]);
    expect(body.data.nextDueAt).toBeNull();
  });

  test.each([
    [{}, "mode"],
    [{ mode: "paused" }, "mode"],
    [{ mode: "frozen", now: "yesterday" }, "now"],
    [{ mode: "frozen", now: 5 }, "now"],
    [{ mode: "frozen", seed: "" }, "seed"],
  ])("refuses %j", async (sent, field) => {
    const { status, body } = await send("PUT", "/sandbox/clock", sent);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: "validation_failed", errors: [expect.objectContaining({ field })] });
  });

  test("refuses a time out of range", async () => {
    expect(await freeze("1990-01-01T00:00:00Z")).toMatchObject({ status: 422, body: { code: "clock_out_of_range" } });
  });
});

describe("POST /sandbox/clock/advance", () => {
  test("answers when everything that fell due has happened", async () => {
    await freeze();
    await book("late", "2026-11-20T12:00:00.000Z");
    await book("early", "2026-11-02T12:00:00.000Z");
    await book("never", "2027-11-02T12:00:00.000Z");
    const { status, body } = await advance({ days: 30 });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      from: dawn,
      to: "2026-12-01T06:00:00.000Z",
      ran: 2,
      nextDueAt: "2027-11-02T12:00:00.000Z",
    });
    expect(ran).toEqual(["early at 2026-11-02T12:00:00.000Z", "late at 2026-11-20T12:00:00.000Z"]);
  });

  test.each([
    [{ seconds: 90 }, "2026-11-01T06:01:30.000Z"],
    [{ seconds: 0.5 }, "2026-11-01T06:00:00.500Z"],
    [{ to: "2026-11-01T08:00:00+01:00" }, "2026-11-01T07:00:00.000Z"],
    [{ until: "next_due" }, dawn],
  ])("takes %j", async (sent, to) => {
    await freeze();
    expect((await advance(sent)).body.data).toMatchObject({ from: dawn, to });
  });

  test.each([
    [{}],
    [{ seconds: 1, days: 1 }],
    [{ seconds: -1 }],
    [{ days: 1.5 }],
    [{ until: "doomsday" }],
    [{ to: "soon" }],
    [{ days: 4_000 }],
  ])("refuses %j", async (sent) => {
    expect(await advance(sent)).toMatchObject({ status: 422, body: { status: false, code: "validation_failed" } });
  });

  test("refuses to go back", async () => {
    await freeze();
    expect(await advance({ to: "2026-11-01T05:59:59Z" })).toMatchObject({
      status: 422,
      body: { code: "clock_goes_back" },
    });
  });

  test("a repeated request with the same Idempotency-Key gets the first answer and moves nothing", async () => {
    await freeze();
    await book("a", "2026-11-01T07:00:00.000Z");
    const headers = { "idempotency-key": "once" };
    const first = await advance({ days: 1 }, headers);
    const second = await advance({ days: 1 }, headers);
    expect(second.body.data).toEqual(first.body.data);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect((await send("GET", "/sandbox/clock")).body.data.now).toBe("2026-11-02T06:00:00.000Z");
    expect(ran).toHaveLength(1);
    expect(await advance({ days: 2 }, headers)).toMatchObject({
      status: 409,
      body: { code: "idempotency_key_conflict" },
    });
  });

  test("a twin at the same time is told to wait", async () => {
    await freeze();
    const rival = createEnvironmentLocks({ url: testApp.appUrl });
    const twin = await rival.hold(merchant.environment.id, () => advance({ days: 1 }));
    await rival.close();
    expect(twin).toMatchObject({ status: 409, body: { code: "clock_moving" } });
  });

  test("says which task failed, and a later advance goes on from there", async () => {
    await freeze();
    await book("a", "2026-11-01T07:00:00.000Z");
    failing = true;
    const { status, body } = await advance({ days: 1 });
    expect({ status, code: body.code, data: body.data }).toEqual({
      status: 500,
      code: "clock_task_failed",
      data: { kind, subject: "a", dueAt: "2026-11-01T07:00:00.000Z" },
    });
    failing = false;
    expect((await advance({ until: "next_due" })).body.data).toMatchObject({
      from: "2026-11-01T07:00:00.000Z",
      ran: 1,
    });
  });
});

describe("POST /sandbox/clock/advance with Prefer: respond-async", () => {
  const ask = (body: unknown, headers = {}) => advance(body, { prefer: "respond-async", ...headers });
  const look = async (path: string) => (await send("GET", path)).body.data;

  async function untilOver(path: string) {
    await eventually("the advance is over", async () => ["done", "stopped"].includes((await look(path)).state));
    return look(path);
  }

  test("answers at once and says where to look", async () => {
    await freeze();
    await book("a", "2026-11-02T12:00:00.000Z");
    const { status, body, headers } = await ask({ days: 30 });
    expect(status).toBe(202);
    expect(body.data).toMatchObject({
      state: "waiting",
      from: dawn,
      to: "2026-12-01T06:00:00.000Z",
      ran: 0,
      error: null,
    });
    expect(headers["location"]).toBe(`/sandbox/clock/advances/${body.data.id}`);
    expect(await untilOver(String(headers["location"]))).toEqual({
      id: body.data.id,
      state: "done",
      from: dawn,
      to: "2026-12-01T06:00:00.000Z",
      now: "2026-12-01T06:00:00.000Z",
      ran: 1,
      error: null,
    });
    expect(ran).toEqual(["a at 2026-11-02T12:00:00.000Z"]);
    const other = await testApp.call("GET", String(headers["location"]), { key: testApp.otherMerchant.secretKey });
    expect(other.statusCode).toBe(404);
    expect((await send("GET", "/sandbox/clock/advances/none")).status).toBe(404);
  });

  test("is made once under an Idempotency-Key, and one at a time", async () => {
    const rival = createEnvironmentLocks({ url: testApp.appUrl });
    const headers = { "idempotency-key": "once" };
    const [first, again, second] = await rival.hold(merchant.environment.id, async () => [
      await ask({ days: 2 }, headers),
      await ask({ days: 2 }, headers),
      await ask({ days: 2 }),
    ]);
    await rival.close();
    expect(again?.body.data).toEqual(first?.body.data);
    expect(second).toMatchObject({ status: 409, body: { code: "clock_moving" } });
    await untilOver(`/sandbox/clock/advances/${first?.body.data.id}`);
    const { now } = (await send("GET", "/sandbox/clock")).body.data;
    expect(Math.abs(Date.parse(now) - Date.now() - 2 * 86_400_000)).toBeLessThan(60_000);
  });

  test("says where it stopped and why", async () => {
    await freeze();
    await book("a", "2026-11-01T07:00:00.000Z");
    failing = true;
    const { headers } = await ask({ days: 1 });
    expect(await untilOver(String(headers["location"]))).toMatchObject({
      state: "stopped",
      now: "2026-11-01T07:00:00.000Z",
      error: { code: "clock_task_failed" },
    });
  });

  test("is taken further by another process when its own is gone", async () => {
    await freeze();
    await book("a", "2026-11-01T07:00:00.000Z");
    const id = merchant.environment.id;
    const { id: advanceId } = await inEnvironment(db, id, (tx) => askForAdvance(tx, { days: 1 }));
    await asOwner(testApp.ownerUrl, "update clock_advances set heard_at = now() - interval '1 minute'");
    const locks = createEnvironmentLocks({ url: testApp.appUrl });
    const repair = createClockRepair({ db, locks, log: silentLog, kinds: new Map([[kind, { handle }]]) });
    await repair();
    expect(await untilOver(`/sandbox/clock/advances/${advanceId}`)).toMatchObject({ state: "done", ran: 1 });
    await locks.close();
    expect(ran).toEqual(["a at 2026-11-01T07:00:00.000Z"]);
  });
});
