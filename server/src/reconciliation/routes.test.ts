import { describe, expect, test } from "vitest";
import { createComparedDays } from "../../testing/providers/compared-days.ts";
import type { ShownRun } from "../../testing/providers/reconciled-app.ts";

const { app, twin, connection, connectAs, compare, pay, date } = await createComparedDays("2026-02-01");
const { show, operate, owner } = app;
const idle = await connectAs("Never used");

/** A run with one exception, and the payout that it is about. */
async function differing() {
  const order = await pay();
  twin.bank.listed.change(order.sessionId, { amount: 1 });
  const run = await compare();
  return { ...order, run, exception: exceptionOf(run) };
}

function exceptionOf({ exceptions: [first] }: ShownRun) {
  if (first === undefined) throw new Error("the run has no exception");
  return first;
}

const resolve = (id: string, body: unknown, headers = {}) =>
  operate("POST", `/operator/reconciliations/exceptions/${id}/resolve`, body, headers);
const list = async (query: string) => (await operate("GET", `/operator/reconciliations?${query}`)).json();
const audited = async (action: string, subjectId: string) => {
  const { data } = (await operate("GET", "/operator/audit?limit=100")).json();
  return data.filter(
    (entry: Record<string, unknown>) => entry["action"] === action && entry["subjectId"] === subjectId,
  );
};

describe("a day that is compared again", () => {
  test("is a new version, and an exception keeps its id, its age and its resolution", async () => {
    const { run, exception } = await differing();
    await owner(`update reconciliation_exceptions set first_seen_at = first_seen_at - interval '3 days 1 hour'
      where id = '${exception.id}'`);
    await resolve(exception.id, { reason: "Seen" });
    const again = await compare();
    expect(again).toMatchObject({ version: 2, state: "exceptions", counts: { exceptions: 1 } });
    expect(again.exceptions).toMatchObject([
      { id: exception.id, ageDays: 3, resolvedBy: "operator", reason: "Seen", closedAt: null },
    ]);
    expect((await show(run.id)).exceptions).toMatchObject([{ id: exception.id, ageDays: 3 }]);
  });

  test("closes what it no longer finds, and the earlier version still shows it", async () => {
    const { run, exception, sessionId } = await differing();
    twin.bank.listed.change(sessionId, { amount: 250_000 });
    expect(await compare()).toMatchObject({ version: 2, state: "clean", exceptions: [] });
    const closed = { id: exception.id, closedAt: expect.any(String) };
    expect((await show(run.id)).exceptions).toMatchObject([closed]);
    const reply = await resolve(exception.id, { reason: "Too late" });
    expect(reply.json()).toMatchObject({ code: "invalid_state", data: { status: "closed" } });
  });

  test("opens an exception again whose figures have changed: it keeps its age, not its resolution", async () => {
    const { exception, sessionId } = await differing();
    await owner(`update reconciliation_exceptions set first_seen_at = first_seen_at - interval '5 days'
      where id = '${exception.id}'`);
    await resolve(exception.id, { reason: "One kobo, rounding at the provider" });
    twin.bank.listed.change(sessionId, { amount: 99_999_999 });
    const again = exceptionOf(await compare());
    expect(again).toMatchObject({
      kind: "amount_differs",
      ageDays: 5,
      resolvedBy: null,
      theirs: { amount: 999_999.99 },
    });
    expect(again.id).not.toBe(exception.id);
  });

  test("does not touch other days or connections", async () => {
    const { exception } = await differing();
    expect(await compare(0, idle)).toMatchObject({ version: 1, state: "exceptions" });
    expect(await app.compare(connection, "2025-12-24")).toMatchObject({ version: 1, state: "clean" });
    expect(exceptionOf(await compare()).id).toBe(exception.id);
  });
});

describe("resolving", () => {
  test("happens once, is audited, and the same again changes nothing", async () => {
    const { exception } = await differing();
    const reply = await resolve(exception.id, { reason: "  The bank's letter of today " });
    expect(reply.statusCode).toBe(200);
    expect(reply.json().data).toMatchObject({
      id: exception.id,
      resolvedBy: "operator",
      resolvedAt: expect.any(String),
      reason: "The bank's letter of today",
    });
    const again = await resolve(exception.id, { reason: "The bank's letter of today" });
    expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    const other = await resolve(exception.id, { reason: "Another" });
    expect([other.statusCode, other.json()]).toMatchObject([
      409,
      { code: "invalid_state", data: { status: "resolved" } },
    ]);
    expect(await audited("reconciliation_exception.resolve", exception.id)).toMatchObject([
      {
        detail: {
          kind: "amount_differs",
          connectionId: connection,
          date: date(),
          reason: "The bank's letter of today",
        },
      },
    ]);
  });

  test("by two at once is done by one", async () => {
    const { exception } = await differing();
    const replies = await Promise.all(["One", "Two"].map((reason) => resolve(exception.id, { reason })));
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  test("under one key returns the first reply", async () => {
    const { exception } = await differing();
    const headers = { "idempotency-key": `resolve-${date()}` };
    const first = await resolve(exception.id, { reason: "Seen" }, headers);
    const again = await resolve(exception.id, { reason: "Seen" }, headers);
    expect([again.headers["idempotent-replayed"], again.body]).toEqual(["true", first.body]);
  });

  test.each([
    ["nobody's id", crypto.randomUUID(), { reason: "x" }, 404, "reconciliation_exception_not_found"],
    ["an id that is none", "x", { reason: "x" }, 404, "reconciliation_exception_not_found"],
    ["no reason", crypto.randomUUID(), {}, 422, "validation_failed"],
    ["a blank reason", crypto.randomUUID(), { reason: " " }, 422, "validation_failed"],
  ])("refuses %s", async (_, id, body, status, code) => {
    const reply = await resolve(id, body);
    expect([reply.statusCode, reply.json().code]).toEqual([status, code]);
  });
});

describe("reading", () => {
  test("lists by connection, state and day, newest first, in pages", async () => {
    const { run } = await differing();
    const second = await compare();
    const found = await list(`connectionId=${connection}&date=${date()}&state=exceptions&limit=1`);
    expect(found.pagination).toMatchObject({ totalItems: 2, totalPages: 2 });
    expect(found.data).toMatchObject([{ id: second.id, version: 2 }]);
    expect((await list(`date=${date()}&limit=1&page=2`)).data).toMatchObject([{ id: run.id }]);
    expect((await list(`date=${date()}&page=3`)).data).toEqual([]);
    for (const nothing of [`connectionId=${idle}&date=${date()}`, `date=${date()}&state=clean`, "connectionId=x"]) {
      expect((await list(nothing)).data).toEqual([]);
    }
    const bad = await operate("GET", "/operator/reconciliations?state=lost&date=now");
    expect(
      bad
        .json()
        .errors.map(({ field }: { field: string }) => field)
        .sort(),
    ).toEqual(["date", "state"]);
  });

  test.each([crypto.randomUUID(), "x"])("nobody's id %s is not found", async (id) => {
    for (const accept of ["application/json", "text/csv"]) {
      const reply = await operate("GET", `/operator/reconciliations/${id}`, undefined, { accept });
      expect([reply.statusCode, reply.json().code]).toEqual([404, "reconciliation_not_found"]);
    }
  });

  test("as something else is refused", async () => {
    const run = await compare();
    const reply = await operate("GET", `/operator/reconciliations/${run.id}`, undefined, { accept: "image/png" });
    expect([reply.statusCode, reply.json().code]).toEqual([406, "not_acceptable"]);
  });

  test("as CSV has every exception, and nothing that a spreadsheet would run", async () => {
    const order = await pay(undefined, { reference: '=HYPERLINK("http://evil")' });
    twin.bank.listed.lose(order.sessionId);
    const run = await compare();
    const exception = exceptionOf(run);
    await resolve(exception.id, { reason: "@SUM(A1)" });
    const reply = await operate("GET", `/operator/reconciliations/${run.id}`, undefined, { accept: "text/csv" });
    expect(reply.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(reply.headers["content-disposition"]).toBe(
      `attachment; filename="reconciliation-${date()}-${connection}-v1.csv"`,
    );
    const [header, line, ...rest] = reply.body.split("\r\n");
    expect(rest).toEqual([""]);
    expect(header).toMatch(/^id,kind,ourType,ourId,.*,reason$/);
    expect(line).toContain(`${exception.id},missing_at_provider,transfer,${order.id},${app.liveEnvironmentId},`);
    expect(line).toContain(`"'=HYPERLINK(""http://evil"")",success,2500.00,`);
    expect(line).toMatch(/,'@SUM\(A1\)$/);
  });

  test("as CSV comes in pieces, each exception once", async () => {
    await owner(`
      insert into reconciliations (id, connection_id, date, version, state, requested_by, counts, totals, completed_at)
      values (uuidv7(), '${idle}', '${date()}', 1, 'exceptions', 'test',
        '{"orders": 0, "records": 1100, "agreed": 0, "waiting": 0, "exceptions": 1100}', '[]', now());
      insert into reconciliation_exceptions
        (id, connection_id, date, subject, kind, theirs, first_seen_at, first_version)
      select uuidv7(), '${idle}', '${date()}', 'payout/' || n, 'missing_with_us', jsonb_build_object('kind', 'payout',
        'providerReference', 'T' || n, 'orderId', null, 'status', 'success', 'word', 'success', 'amount', '100',
        'fee', null, 'createdAt', '2026-02-01T00:00:00.000Z'), now(), 1
      from generate_series(1, 1100) n`);
    const [{ id }] = (await list(`connectionId=${idle}&date=${date()}`)).data;
    const reply = await operate("GET", `/operator/reconciliations/${id}`, undefined, { accept: "text/csv" });
    const references = reply.body.match(/,T\d+,/g) ?? [];
    expect([references.length, new Set(references).size]).toEqual([1_100, 1_100]);
    expect((await show(id)).exceptions).toHaveLength(1_000);
  });
});
