import { describe, expect, test } from "vitest";
import { createComparedDays, kindsOf } from "../../testing/providers/compared-days.ts";

const { app, twin, connection, compare, pay, at, stranger } = await createComparedDays("2026-01-01");
const { show, operate } = app;

describe("matching", () => {
  test("is by the provider's own reference where its list leaves ours out", async () => {
    await pay();
    twin.bank.listsReferences = false;
    expect(await compare()).toMatchObject({ state: "clean", counts: { agreed: 1 } });
  });

  test("looks at the neighbouring days before it calls something missing", async () => {
    const late = await app.payAt(at("23:59:59"));
    twin.bank.listed.change(late.sessionId, { createdAt: at("00:00:01", 1) });
    const early = await app.payAt(at("00:00:00"));
    twin.bank.listed.change(early.sessionId, { createdAt: at("23:59:58", -1) });
    expect(await compare()).toMatchObject({ state: "clean", counts: { orders: 0, records: 0 } });
    for (const days of [-1, 1]) {
      expect(await compare(days)).toMatchObject({ state: "clean", counts: { orders: 1, agreed: 1 } });
    }
  });

  test("finds an order of long ago that the provider made today", async () => {
    const { sessionId } = await app.payAt(at("10:00:00", -3));
    twin.bank.listed.change(sessionId, { createdAt: at("10:00:00") });
    expect(await compare()).toMatchObject({ state: "clean", counts: { orders: 1, agreed: 1 } });
  });

  test("takes a record that stands on two pages once", async () => {
    const { sessionId } = await pay();
    for (let n = 0; n < 100; n += 1) {
      twin.bank.listed.add(stranger({ id: 10_000 + n, reference: `stranger-${n}`, status: "failed" }));
    }
    twin.bank.listed.repeat(sessionId);
    const run = await compare();
    expect(run.counts).toMatchObject({ orders: 1, records: 101, agreed: 1, exceptions: 100 });
  });

  test("asks the neighbouring days only when a record is missing", async () => {
    await pay();
    const before = twin.count("GET /transfer");
    await compare();
    const clean = twin.count("GET /transfer") - before;
    const { sessionId } = await pay();
    twin.bank.listed.lose(sessionId);
    await compare();
    expect(twin.count("GET /transfer") - before - clean).toBe(3 * clean);
  });
});

describe("an order whose outcome is open", () => {
  test.each([
    ["is waited for while the provider has it open, too", "pending", null],
    ["is an exception when the provider has ended it more than a day ago", "success", "status_differs"],
    ["is an exception when the provider has had no record of it for a day", null, "missing_at_provider"],
  ] as const)("%s", async (_, status, kind) => {
    twin.bank.outcome = "pending";
    const { sessionId } = await pay();
    if (status === null) twin.bank.listed.lose(sessionId);
    else twin.bank.listed.change(sessionId, { status });
    const run = await compare();
    expect(kindsOf(run)).toEqual(kind === null ? [] : [kind]);
    expect(run.counts?.["waiting"]).toBe(kind === null ? 1 : 0);
  });

  test.each(["success", null] as const)("is waited for a day (at the provider: %s)", async (status) => {
    twin.bank.outcome = "pending";
    const { sessionId } = await app.payAt(new Date());
    if (status === null) twin.bank.listed.lose(sessionId);
    else twin.bank.listed.change(sessionId, { status });
    const run = await app.compare(connection, String(Temporal.Now.plainDateISO("Africa/Lagos")));
    expect(run.exceptions.filter(({ ours }) => ours?.["orderId"] === sessionId)).toEqual([]);
    expect(run.counts?.["waiting"]).toBeGreaterThan(0);
  });
});

describe("a provider that fails", () => {
  test.each(["bad_gateway_after", "cut_reply", "cut_json", "too_many", "empty", "lost_reply"] as const)(
    "in the middle (%s) gives a failed run and never a clean one",
    async (fault) => {
      await pay();
      twin.misbehave([null, null, fault], "GET /transfer");
      const run = await compare();
      expect(run).toMatchObject({ state: "failed", counts: null, totals: [], exceptions: [] });
      expect(run.failure).toMatchObject({
        code: "provider_unreadable",
        message: expect.stringMatching(/^Paystack's list/),
      });
      twin.behave();
      expect(await compare()).toMatchObject({ state: "clean", version: 2 });
    },
  );

  test("while a neighbouring day is read gives a failed run", async () => {
    const { sessionId } = await pay();
    twin.bank.listed.lose(sessionId);
    twin.misbehave([...Array.from({ length: 12 }, () => null), "bad_gateway_after"], "GET /transfer");
    expect(await compare()).toMatchObject({ state: "failed" });
  });

  test("leaves the exceptions of earlier versions as they are", async () => {
    const { sessionId } = await pay();
    twin.bank.listed.lose(sessionId);
    const first = await compare();
    twin.misbehave(["bad_gateway_after"], "GET /transfer");
    expect(await compare()).toMatchObject({ state: "failed", version: 2, exceptions: [] });
    const third = await compare();
    expect(third.exceptions).toEqual(first.exceptions);
    expect(await show(first.id)).toMatchObject({ state: "exceptions", exceptions: [{ closedAt: null }] });
  });
});

test("an order that an operator has ended by hand is held against the provider like any other", async () => {
  twin.bank.outcome = "pending";
  const { id } = await pay();
  const resolved = await operate("POST", `/operator/transfers/${id}/resolve`, {
    outcome: "failed",
    evidence: "letter",
  });
  expect(resolved.statusCode).toBe(200);
  expect(kindsOf(await compare())).toEqual(["status_differs"]);
});
