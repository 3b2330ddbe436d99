import { describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { signIn } from "../../testing/console.ts";
import { asOwner, silentLog } from "../../testing/work.ts";
import { followTroubles } from "./follow-troubles.ts";
import type { Trouble } from "./incident.ts";
import { listShownIncidents } from "./list-shown.ts";

const testing = await createTestApp();
const { db, ownerUrl, operate, app } = testing;

const slowBanks = { title: "Payouts are slow", message: "We ask the bank.", condition: "slow", parts: ["bank", "api"] };
const open = (body: object = {}, headers = {}) =>
  operate("POST", "/operator/incidents", { ...slowBanks, ...body }, headers);
const update = (id: string, state: string, message = "It is mended.") =>
  operate("POST", `/operator/incidents/${id}/updates`, { state, message });
const list = async (query = "") => (await operate("GET", `/operator/incidents?${query}`)).json();
const shown = async () => (await listShownIncidents(db)).map(({ title }) => title);
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

const trouble: Trouble = {
  cause: "rail.card",
  title: "Card payments: disturbed",
  condition: "slow",
  parts: ["card"],
  since: null,
  shownAfterSeconds: 300,
};
const see = (...troubles: Trouble[]) => followTroubles({ db, log: silentLog }, troubles);
const age = (minutes: number, ...columns: string[]) =>
  asOwner(
    ownerUrl,
    `update incidents set ${columns.map((name) => `${name} = ${name} - interval '${minutes} min'`).join(", ")}
     where source = 'system' and ended_at is null`,
  );

describe("an incident that an operator writes", () => {
  test("is public at once, gets news, and is over when they say so", async () => {
    const reply = await open({ startedAt: daysAgo(1) });
    expect([reply.statusCode, reply.json().data.state]).toEqual([201, "investigating"]);
    const { id } = reply.json().data;
    await update(id, "identified", "The bank <b>has</b> a fault.");
    const page = await app.inject({ url: "/status", headers: { accept: "text/html" } });
    expect(page.body).toContain("Payouts are slow");
    expect(page.body).toContain("The bank &lt;b&gt;has&lt;/b&gt; a fault.");
    expect(page.body).toContain("Some things are slow");
    expect(page.body).not.toContain("operator");
    const { incidents } = (await app.inject({ url: "/status", headers: { accept: "application/json" } })).json();
    expect(incidents).toEqual([
      expect.objectContaining({ id, parts: ["Payouts to banks", "API"], state: "identified", endedAt: null }),
    ]);
    expect(incidents[0].updates).toEqual([
      { state: "identified", message: "The bank <b>has</b> a fault.", at: expect.any(String) },
      { state: "investigating", message: "We ask the bank.", at: expect.any(String) },
    ]);
    const ended = await update(id, "resolved");
    expect(ended.json().data).toMatchObject({ state: "resolved", endedAt: expect.any(String) });
    const late = await update(id, "watching");
    expect([late.statusCode, late.json().code]).toEqual([409, "invalid_state"]);
    const { data } = (await operate("GET", "/operator/audit?limit=10")).json();
    const kept = data.filter(({ subjectId }: { subjectId: string }) => subjectId === id);
    expect(kept.map(({ action }: { action: string }) => action)).toEqual([
      "incident.update",
      "incident.update",
      "incident.open",
    ]);
  });

  test("under one key is one", async () => {
    const headers = { "idempotency-key": "incident-1" };
    const [first, again] = [await open({ title: "Once" }, headers), await open({ title: "Once" }, headers)];
    expect([again.headers["idempotent-replayed"], again.body]).toEqual(["true", first.body]);
    expect((await list()).data.filter(({ title }: { title: string }) => title === "Once")).toHaveLength(1);
  });

  test.each<[string, object, string]>([
    ["without a title", { title: " " }, "title"],
    ["of an unknown part", { parts: ["moon"] }, "parts[0]"],
    ["of no part", { parts: [] }, "parts"],
    ["that works", { condition: "working" }, "condition"],
    ["of tomorrow", { startedAt: daysAgo(-1) }, "startedAt"],
    ["of last year", { startedAt: daysAgo(200) }, "startedAt"],
    ["with a key in it", { message: "Use sk_live_abcdefgh1234 instead." }, "message"],
    ["with an account number in it", { message: "Only 0123456789 waits." }, "message"],
    ["with a merchant's name in it", { title: `${testing.merchant.merchant.name} waits` }, "title"],
  ])("%s is refused", async (_, body, field) => {
    const reply = await open(body);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    expect(reply.json().errors.map((error: { field: string }) => error.field)).toContain(field);
  });

  test("is withdrawn from the page, and kept for operators", async () => {
    const { id } = (await open({ title: "Told too much" })).json().data;
    expect(await shown()).toContain("Told too much");
    const reply = await operate("POST", `/operator/incidents/${id}/withdraw`);
    expect([reply.statusCode, reply.json().data.withdrawnAt]).toEqual([200, expect.any(String)]);
    expect(await shown()).not.toContain("Told too much");
    expect((await operate("GET", `/operator/incidents/${id}`)).json().data.title).toBe("Told too much");
  });

  test("is listed by state, in pages; an id that nobody has is refused", async () => {
    expect((await list("state=resolved")).data).toHaveLength(1);
    const { data, pagination } = await list("state=open&limit=1");
    expect([data.length, pagination.hasNextPage]).toEqual([1, true]);
    expect((await list("page=99")).data).toEqual([]);
    const nobody = `/operator/incidents/${crypto.randomUUID()}`;
    for (const [method, path, body] of [
      ["GET", nobody, undefined],
      ["POST", `${nobody}/updates`, { state: "watching", message: "x" }],
      ["POST", `${nobody}/withdraw`, undefined],
    ] as const) {
      const missing = await operate(method, path, body);
      expect([missing.statusCode, missing.json().code]).toEqual([404, "incident_not_found"]);
    }
  });

  test("leaves the page thirty days after its end", async () => {
    await asOwner(ownerUrl, "update incidents set started_at = now() - interval '40 d' where state = 'resolved'");
    await asOwner(ownerUrl, "update incidents set ended_at = now() - interval '31 d' where state = 'resolved'");
    expect(await shown()).not.toContain("Payouts are slow");
  });

  test("at the console admins and support write, reconciliation only reads", async () => {
    const path = "/console/api/operator/incidents";
    for (const [operator, status] of [
      ["admin", 201],
      ["support", 201],
      ["reconciliation", 403],
    ] as const) {
      const person = await signIn(testing, { email: `${operator}@jara.example`, operator });
      expect((await person.ask("GET", path)).statusCode).toBe(200);
      expect((await person.ask("POST", path, slowBanks)).statusCode).toBe(status);
    }
  });
});

describe("an incident that the system sees", () => {
  test("is forgotten when it is over in a moment", async () => {
    await see(trouble);
    await age(3, "seen_at", "started_at");
    await see();
    await see(trouble);
    await age(4, "started_at");
    await see(trouble);
    expect(await shown()).not.toContain(trouble.title);
  });

  test("is public once it has lasted, one however many workers see it, and gets worse but not better", async () => {
    await age(2, "started_at");
    await Promise.all([see(trouble), see({ ...trouble, condition: "not_working" }), see(trouble)]);
    const all = (await listShownIncidents(db)).filter(({ source }) => source === "system");
    expect(all).toMatchObject([{ title: trouble.title, condition: "not_working", endedAt: null, parts: ["card"] }]);
  });

  test("takes an operator's words, and ends by itself at the moment when it was seen last", async () => {
    const [found] = (await listShownIncidents(db)).filter(({ source }) => source === "system");
    const id = found?.id ?? "";
    const refused = await update(id, "resolved");
    expect([refused.statusCode, refused.json().code]).toEqual([409, "incident_ends_by_itself"]);
    expect((await update(id, "identified", "The network is down.")).statusCode).toBe(200);
    await see();
    expect((await operate("GET", `/operator/incidents/${id}`)).json().data.endedAt).toBeNull();
    await age(3, "seen_at");
    await see();
    const { data } = (await operate("GET", `/operator/incidents/${id}`)).json();
    expect([data.state, data.endedAt < new Date(Date.now() - 60_000).toISOString()]).toEqual(["resolved", true]);
    await see({ ...trouble, shownAfterSeconds: 0 });
    expect((await list("state=open")).data[0]).toMatchObject({ source: "system", title: trouble.title });
  });

  test("began when its cause began, where that is known", async () => {
    const since = new Date(Date.now() - 600_000);
    await see({ ...trouble, cause: "work.transfers", title: "Sending payouts: delayed", since });
    const [found] = (await listShownIncidents(db)).filter(({ title }) => title === "Sending payouts: delayed");
    expect(found?.startedAt).toEqual(since);
  });

  test("comes from what a worker sees: books that contradict themselves", async () => {
    await asOwner(
      ownerUrl,
      `insert into verifications (id, state, requested_by, contradictions, ended_at)
       values (gen_random_uuid(), 'contradictions', 'nightly', 1, now())`,
    );
    await testing.tasks.loops.find(({ name }) => name === "watch over incidents")?.step();
    expect(await shown()).toContain("A check of our books needs a person");
  });
});
