import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { ageAttempts, createArchiveFolder, createPast, type Past } from "../../testing/archives/archiving.ts";
import { answering, createReceiver } from "../../testing/webhooks/webhook-receiver.ts";
import { addEndpoint, createTestSender, sendDue } from "../../testing/webhooks/webhooks.ts";
import { asOwner } from "../../testing/work.ts";
import { inEnvironment, readEnvironment } from "../platform/database/database.ts";
import { dueBefore, dueSince } from "./archive.ts";
import { verifyArchives } from "./verify-archives.ts";

const folderOfApp = { folder: "/nowhere", days: { LIVE: 400, SANDBOX: 90 } };
const app = await createTestApp({ archive: folderOfApp });
const { db, call, operate, ownerUrl } = app;
const folder = await createArchiveFolder(app);

const count = (past: Past, table: "events" | "webhook_deliveries" | "webhook_attempt_log") =>
  readEnvironment(db, past.environmentId, async (tx) => {
    const found = await sql<{ rows: bigint }>`select count(*) as rows from ${sql.table(table)}`.execute(tx);
    return Number(found.rows[0]?.rows);
  });

const differences = (past: Past) => readEnvironment(db, past.environmentId, verifyArchives);

/** Events of two months of 2024 and one of now; the old ones are archived. */
async function createArchived() {
  const past = await createPast(app);
  const march = await past.log(3);
  const cursorInMarch = (await past.ask("GET", "/events/feed?limit=1")).json().data.cursor as string;
  await past.advance({ days: 30 });
  const april = await past.log(2);
  const cursorAtApril = (await past.ask("GET", "/events/feed")).json().data.cursor as string;
  await past.comeBack();
  const [now = ""] = await past.log(1);
  await folder.run();
  await folder.run();
  return { past, march, april, now, cursorInMarch, cursorAtApril, until: "2024-04-09T09:00:00.000Z" };
}

describe("archiving", () => {
  test("puts the events of each month into a file of its own, and removes their rows", async () => {
    const { past, march, april, now } = await createArchived();
    const manifests = await folder.manifests(past.environmentId);
    expect(manifests).toMatchObject([
      { version: 1, kind: "events", month: "2024-03", rows: 3, firstPosition: 1, lastPosition: 3 },
      { month: "2024-04", rows: 2, firstPosition: 4, lastPosition: 5, environmentKind: "SANDBOX" },
    ]);
    expect((await folder.filed(past.environmentId)).map(({ id }) => id)).toEqual([...march, ...april]);
    expect(await count(past, "events")).toBe(1);
    expect((await past.ask("GET", `/events/${now}`)).statusCode).toBe(200);
    expect(await differences(past)).toEqual([]);
    expect(await folder.run()).toBe(0);
  });

  test("keeps what became of an event at each endpoint, try by try", async () => {
    const past = await createPast(app);
    const receiver = await createReceiver(answering(200));
    const endpoint = await addEndpoint(app, receiver.url, {}, past.key);
    const [id = ""] = await past.log();
    const sender = createTestSender(app);
    await sendDue(app, sender);
    const { data } = (await past.ask("GET", `/events/${id}`)).json();
    await past.comeBack();
    expect(await folder.run()).toBe(0);
    await ageAttempts(ownerUrl);
    expect(await folder.run()).toBe(1);
    const [filed] = await folder.filed(past.environmentId);
    expect(JSON.parse(filed?.line ?? "")).toMatchObject({
      id,
      event: data.event,
      data: data.data,
      createdAt: "2024-03-10T09:00:00.000000Z",
      deliveries: [{ endpointId: endpoint.id, status: "delivered", log: [{ status: 200, error: null }] }],
    });
    expect(filed?.line).not.toContain(receiver.url);
    expect([await count(past, "webhook_deliveries"), await count(past, "webhook_attempt_log")]).toEqual([0, 0]);
  });

  test("stops before an event whose delivery is open, and goes on when it is settled", async () => {
    const past = await createPast(app);
    const [first = ""] = await past.log();
    await addEndpoint(app, "http://127.0.0.1:9/", {}, past.key);
    await past.log();
    await past.comeBack();
    expect(await folder.run()).toBe(1);
    expect((await folder.filed(past.environmentId)).map(({ id }) => id)).toEqual([first]);
    await asOwner(
      ownerUrl,
      `update webhook_deliveries set status = 'failed', claim_at = null where environment_id = '${past.environmentId}'`,
    );
    expect(await folder.run()).toBe(1);
    expect((await folder.filed(past.environmentId)).map(({ position }) => position)).toEqual([1, 2]);
    expect(await differences(past)).toEqual([]);
  });

  test("leaves an event alone that was sent again within the last month", async () => {
    const past = await createPast(app);
    const [id] = await past.log();
    await past.comeBack();
    expect((await past.ask("POST", `/events/${id}/redeliver`, {})).statusCode).toBe(202);
    expect(await folder.run()).toBe(0);
  });

  test("leaves a sandbox alone that stands in the past: its events are of today there", async () => {
    const past = await createPast(app);
    await past.log();
    expect(await folder.run()).toBe(0);
    await past.advance({ days: 200 });
    expect(await folder.run()).toBe(1);
  });

  test("of two workers at once makes one file", async () => {
    const past = await createPast(app);
    await past.log(40);
    await past.comeBack();
    const done = await Promise.all([1, 2, 3].map(() => folder.run({ atOnce: 7 })));
    expect(done.reduce((sum, one) => sum + one)).toBe(40);
    const positions = (await folder.filed(past.environmentId)).map(({ position }) => position);
    expect(positions).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
    expect(await count(past, "events")).toBe(0);
  });

  test("removes nothing when the file on disk is not what was written", async () => {
    const past = await createPast(app);
    await past.log(2);
    await past.comeBack();
    const spoilt = { ...folder.shelf, read: async () => ["{}", "{}"] };
    expect(await folder.run({}, spoilt)).toBe(0);
    expect(await count(past, "events")).toBe(2);
    expect(await folder.run()).toBe(2);
  });

  test("puts a file aside that was left by a run which did not come to its end", async () => {
    const past = await createPast(app);
    await past.log(2);
    await past.comeBack();
    const cut = { ...folder.shelf, read: () => Promise.reject(new Error("killed")) };
    await folder.run({ events: 1 }, cut);
    expect(await folder.manifests(past.environmentId)).toMatchObject([{ lastPosition: 1 }]);
    expect(await folder.run()).toBe(2);
    expect(await folder.manifests(past.environmentId)).toMatchObject([{ lastPosition: 2 }]);
    const names = await readdir(join(folder.path, past.environmentId, "2024-03"));
    expect(names.filter((name) => name.endsWith(".replaced"))).toHaveLength(2);
  });

  test("ends with a reset: the sandbox counts from the start again", async () => {
    const { past } = await createArchived();
    expect((await past.ask("POST", "/sandbox/reset", {})).statusCode).toBe(200);
    const [id] = await past.log();
    const feed = (await past.ask("GET", "/events/feed")).json().data;
    expect(feed.events).toMatchObject([{ id }]);
    expect(await differences(past)).toEqual([]);
  });

  test("can be done by no other way: a server's own login deletes no events", async () => {
    const past = await createPast(app);
    await past.log();
    const remove = () => inEnvironment(db, past.environmentId, (tx) => sql`delete from events`.execute(tx));
    await expect(remove()).rejects.toThrow("permission denied");
  });
});

describe("who reads", () => {
  test("is told that an event is archived, wherever it is asked for", async () => {
    const { past, march, until } = await createArchived();
    const [id] = march;
    const told = { code: "event_archived", data: { archivedUntil: until } };
    for (const [method, path] of [
      ["GET", `/events/${id}`],
      ["GET", `/events/${id}/deliveries`],
      ["POST", `/events/${id}/redeliver`],
    ] as const) {
      const reply = await past.ask(method, path, method === "POST" ? {} : undefined);
      expect([reply.statusCode, reply.json()], path).toMatchObject([410, told]);
    }
    const span = { from: "2024-03-01", to: "2026-11-01" };
    const again = await past.ask("POST", "/events/redeliver", span);
    expect([again.statusCode, again.json()]).toMatchObject([410, told]);
    expect((await past.ask("POST", "/events/redeliver", { ...span, from: "2024-05-01" })).statusCode).toBe(202);
    const stranger = await call("GET", `/events/${id}`, { key: app.merchant.secretKey });
    expect(stranger.statusCode).toBe(404);
    expect((await past.ask("GET", `/events/${crypto.randomUUID()}`)).statusCode).toBe(404);
  });

  test("gets lists that count what is online, and say at their end that there was more", async () => {
    const { past, now } = await createArchived();
    const list = async (query: string) => {
      const reply = await past.ask("GET", `/events?${query}`);
      const { data, pagination } = reply.json();
      return [data.map(({ id }: { id: string }) => id), pagination.totalItems, reply.headers["jara-warning"]];
    };
    expect(await list("")).toEqual([[now], 1, "events_archived"]);
    expect(await list("event=wallet.credited")).toEqual([[now], 1, "events_archived"]);
    expect(await list("from=2024-03-01&to=2024-03-31")).toEqual([[], 0, "events_archived"]);
    expect(await list("from=2024-05-01")).toEqual([[now], 1, undefined]);
    const [later = ""] = await past.log();
    expect(await list("limit=1")).toEqual([[later], 2, undefined]);
    expect(await list("limit=1&page=2")).toEqual([[now], 2, "events_archived"]);
  });

  test("goes on at the floor, and is told where it is with a cursor from below", async () => {
    const { past, now, cursorInMarch, cursorAtApril, until } = await createArchived();
    const read = (query: string) => past.ask("GET", `/events/feed?${query}`);
    const idsIn = (reply: Awaited<ReturnType<typeof read>>) =>
      reply.json().data.events.map(({ id }: { id: string }) => id);
    expect(idsIn(await read(""))).toEqual([now]);
    expect(idsIn(await read(`after=${cursorAtApril}`))).toEqual([now]);
    expect(idsIn(await read(`after=${cursorAtApril}&include=resends`))).toEqual([now]);
    const refused = await read(`after=${cursorInMarch}`);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      410,
      { code: "feed_cursor_archived", data: { archivedUntil: until } },
    ]);
    expect(idsIn(await read(`after=${refused.json().data.cursor}`))).toEqual([now]);
    expect((await past.ask("GET", `/events/stream?after=${cursorInMarch}`)).statusCode).toBe(410);
    expect((await read("after=MTIvMDE5MzBiNmUtN2M1YS03ZTUxLTlhNTEtMmY2ZjFmMGY3YjEx")).statusCode).toBe(422);
  });

  test("of an archived log finds its end", async () => {
    const past = await createPast(app);
    await past.log(2);
    await past.comeBack();
    await folder.run();
    const end = (await past.ask("GET", "/events/feed?after=latest")).json().data;
    expect(end.events).toEqual([]);
    const [id] = await past.log();
    expect((await past.ask("GET", `/events/feed?after=${end.cursor}`)).json().data.events).toMatchObject([{ id }]);
  });

  test("of resends is told when an event went that was sent again meanwhile", async () => {
    const past = await createPast(app);
    const [old] = await past.log();
    const { cursor } = (await past.ask("GET", "/events/feed?include=resends")).json().data;
    await past.ask("POST", `/events/${old}/redeliver`, {});
    await past.advance({ days: 60 });
    const [later] = await past.log();
    await past.comeBack();
    await folder.run();
    const read = (after: string) => past.ask("GET", `/events/feed?include=resends&after=${after}`);
    const refused = await read(cursor);
    expect([refused.statusCode, refused.json().code]).toEqual([410, "feed_cursor_archived"]);
    expect((await folder.filed(past.environmentId)).map(({ id }) => id)).toEqual([old]);
    expect((await read(refused.json().data.cursor)).json().data.events).toMatchObject([{ id: later }]);
  });

  test("sees in a trace that older events are in the archive", async () => {
    const past = await createPast(app);
    const funded = await past.ask("POST", "/sandbox/wallets/fund", { amount: 1_000 });
    await past.log();
    const { id } = funded.json().data;
    await past.comeBack();
    const before = (await past.ask("GET", `/traces/${id}`)).json().data.steps;
    await folder.run();
    const after = (await past.ask("GET", `/traces/${id}`)).json().data.steps;
    const titles = (steps: { title: string }[]) => steps.map(({ title }) => title);
    expect(titles(before)).not.toContain("Events up to here are in the archive");
    expect(titles(after)).toContain("Events up to here are in the archive");
  });
});

test("verify names a file that is missing in the row, and events that are nowhere", async () => {
  const { past } = await createArchived();
  const own = `environment_id = '${past.environmentId}'`;
  await asOwner(ownerUrl, `delete from event_archives where ${own} and first_position = 1`);
  expect(await differences(past)).toMatchObject([{ expected: "1", found: "4" }]);
  await asOwner(ownerUrl, `delete from events where ${own}`);
  expect(await differences(past)).toMatchObject([{}, { expected: "1", found: "0" }]);
  await asOwner(ownerUrl, `delete from event_archives where ${own}; delete from list_counters where ${own}`);
});

test("metrics say for how long something is due", async () => {
  const past = await createPast(app);
  await past.log();
  await past.comeBack();
  const overdue = async () => /^jara_archive_overdue_seconds\{environment="SANDBOX"\} (\S+)$/m.exec(await page())?.[1];
  const page = async () => (await operate("GET", "/metrics")).body;
  const years = Number(await overdue()) / 86_400 / 365;
  expect(years).toBeGreaterThan(1);
  expect(await page()).toMatch(/^jara_archive_overdue_seconds\{environment="LIVE"\} 0$/m);
});

test.each([
  [90, "2026-11-17T12:00:00Z", "2026-08-01T00:00:00.000Z"],
  [400, "2026-03-31T00:00:00Z", "2025-02-01T00:00:00.000Z"],
  [30, "2026-03-31T00:00:00Z", "2026-03-01T00:00:00.000Z"],
])("after %d days, at %s, what is from before %s may go", (days, now, before) => {
  expect(dueBefore(days, new Date(now))?.toISOString()).toBe(before);
  const lastOfMonth = new Date(Date.parse(before) - 1);
  expect(dueSince(days, lastOfMonth).getTime()).toBeLessThanOrEqual(Date.parse(now));
});

test("with 0 days nothing ever goes", () => {
  expect(dueBefore(0, new Date())).toBeNull();
});
