import { describe, expect, test } from "vitest";
import { createComparedDays } from "../../testing/providers/compared-days.ts";
import { startTermiiTwin, termiiKeys } from "../../testing/providers/termii-twin.ts";

const { app, twin, connection, pay, date } = await createComparedDays("2026-02-01");
const { start, show, operate, owner, work } = app;

const post = (body: unknown, headers = {}) => operate("POST", "/operator/reconciliations", body, headers);
const list = async (query: string) => (await operate("GET", `/operator/reconciliations?${query}`)).json();
const audited = async (action: string, subjectId: string) => {
  const { data } = (await operate("GET", "/operator/audit?limit=100")).json();
  return data.filter(
    (entry: Record<string, unknown>) => entry["action"] === action && entry["subjectId"] === subjectId,
  );
};

describe("starting a run", () => {
  test("returns it at once, running, and a worker ends it", async () => {
    const reply = await post({ connectionId: connection, date: date() });
    expect(reply.statusCode).toBe(201);
    const { id, ...run } = reply.json().data;
    expect(run).toMatchObject({
      connectionId: connection,
      date: date(),
      version: 1,
      state: "running",
      totals: [],
      counts: null,
    });
    expect(await show(id)).toMatchObject({ state: "running", exceptions: [] });
    await work("reconciliations");
    expect(await show(id)).toMatchObject({ state: "clean", completedAt: expect.any(String) });
    expect(await audited("reconciliation.start", id)).toMatchObject([{ detail: { date: date(), version: 1 } }]);
  });

  test("under one key is one run", async () => {
    const headers = { "idempotency-key": `start-${date()}` };
    const first = await post({ connectionId: connection, date: date() }, headers);
    const again = await post({ connectionId: connection, date: date() }, headers);
    expect([again.statusCode, again.headers["idempotent-replayed"], again.body]).toEqual([201, "true", first.body]);
    await work("reconciliations");
    const other = await post({ connectionId: connection, date: "2026-01-01" }, headers);
    expect([other.statusCode, other.json().code]).toEqual([409, "idempotency_key_conflict"]);
  });

  test("twice at once is one run; the other is told which", async () => {
    const replies = await Promise.all([1, 2, 3].map(() => post({ connectionId: connection, date: date() })));
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
    const id = replies.find(({ statusCode }) => statusCode === 201)?.json().data.id;
    for (const refused of replies.filter(({ statusCode }) => statusCode === 409)) {
      expect(refused.json()).toMatchObject({ code: "reconciliation_under_way", data: { reconciliationId: id } });
    }
    await work("reconciliations");
    expect((await list(`date=${date()}`)).pagination.totalItems).toBe(1);
  });

  test("is done by one worker of several", async () => {
    await pay();
    const id = await start(connection, date());
    const before = twin.count("GET /transfer");
    await Promise.all([1, 2, 3].map(() => work("reconciliations")));
    expect(await show(id)).toMatchObject({ state: "clean" });
    expect(twin.count("GET /transfer") - before).toBe(10);
  });

  test("that a dead worker left is taken up again, and the dead one writes nothing more", async () => {
    await pay();
    const id = await start(connection, date());
    const stuck = Promise.withResolvers<void>();
    const held = {
      name: "held",
      strike: async ({ response }: { response: { destroy(): void } }) => {
        await stuck.promise;
        response.destroy();
      },
    };
    twin.misbehave([held], "GET /transfer");
    const dead = work("reconciliations");
    await expect.poll(() => twin.calls.at(-1)?.fault).toBe("held");
    await owner(`update reconciliations set next_at = now() where id = '${id}'`);
    await work("reconciliations");
    expect(await show(id)).toMatchObject({ state: "clean" });
    stuck.resolve();
    await dead;
    expect(await show(id)).toMatchObject({ state: "clean", failure: null });
  });

  test.each([
    [
      "a day that has not begun",
      () => ({ connectionId: connection, date: "2999-01-01" }),
      422,
      "reconciliation_date_refused",
    ],
    [
      "a connection that nobody has",
      () => ({ connectionId: crypto.randomUUID(), date: date() }),
      404,
      "connection_not_found",
    ],
    ["an id that is none", () => ({ connectionId: "x", date: date() }), 404, "connection_not_found"],
    ["no date", () => ({ connectionId: connection }), 422, "validation_failed"],
    [
      "a day that is not in the calendar",
      () => ({ connectionId: connection, date: "2026-02-30" }),
      422,
      "validation_failed",
    ],
    ["a moment", () => ({ connectionId: connection, date: "2026-02-03T00:00:00Z" }), 422, "validation_failed"],
    ["a number", () => ({ connectionId: 1, date: 2 }), 422, "validation_failed"],
  ])("refuses %s", async (_, body, status, code) => {
    const reply = await post(body());
    expect([reply.statusCode, reply.json().code]).toEqual([status, code]);
  });

  test("refuses a provider that has no list and tells of no payment", async () => {
    const messages = app.keep(await startTermiiTwin());
    const credentials = termiiKeys;
    const termii = await app.connect({
      provider: "termii",
      name: "Termii",
      mode: "live",
      baseUrl: messages.url,
      credentials,
    });
    const reply = await post({ connectionId: termii, date: date() });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "reconciliation_not_offered"]);
  });

  test("and everything else needs the operator's token", async () => {
    for (const [method, path] of [
      ["POST", "/operator/reconciliations"],
      ["GET", "/operator/reconciliations"],
      ["GET", `/operator/reconciliations/${crypto.randomUUID()}`],
      ["POST", `/operator/reconciliations/exceptions/${crypto.randomUUID()}/resolve`],
    ] as const) {
      expect((await app.callLive(method, path, {})).statusCode).toBe(401);
    }
  });
});
