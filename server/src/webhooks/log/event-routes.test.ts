import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant, type TestMerchant } from "../../../testing/factories.ts";
import { record, someEvent } from "../../../testing/webhooks/events.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { describeRoute } from "../../platform/http/route.ts";
import { recordEvents } from "../../platform/records/outbox.ts";
import { sequenceEvents } from "../../platform/records/sequencer.ts";
import { feedData } from "./event-schemas.ts";

const arrived = Promise.withResolvers<void>();
const left = Promise.withResolvers<void>();
const patient = describeRoute("key", {
  method: "GET",
  path: "/test/patient",
  operationId: "waitPatiently",
  tag: "Events",
  summary: "Wait",
  description: "Waits until the caller goes away.",
  scope: "events:read",
  reply: { status: 200, message: "Waited", data: feedData },
  handle: async ({ gone }) => {
    const signal = gone();
    arrived.resolve();
    if (!signal.aborted) await once(signal, "abort");
    left.resolve();
    return { data: { events: [], cursor: "", hasMore: false } };
  },
});

// One test keeps three transactions open beside what it reads.
const testing = await createTestApp({ extraRoutes: [patient], poolSize: 10 });
const { db, call } = testing;

/** A merchant of its own for each test, because each has one log. */
async function createReader() {
  const merchant = await createMerchant(db);
  const key = merchant.secretKey;
  return {
    merchant,
    environmentId: merchant.environment.id,
    get: (path: string) => call("GET", path, { key }),
    async log(...events: Parameters<typeof someEvent>[]): Promise<string[]> {
      const ids = await record(db, merchant.environment.id, ...events.map((args) => someEvent(...args)));
      await sequenceEvents(db);
      return ids;
    },
  };
}

const idsOf = (reply: { json(): { data: { id: string }[] } }): string[] => reply.json().data.map(({ id }) => id);

interface FeedReply {
  readonly events: readonly { readonly id: string }[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

describe("the log", () => {
  test("lists events newest first, each as its webhook shows it", async () => {
    const reader = await createReader();
    const [first, second] = await reader.log(
      ["wallet.credited", { amount: 0.1 }],
      ["transfer.completed", { b: 1, a: null }],
    );
    const reply = await reader.get("/events");
    expect(reply.statusCode).toBe(200);
    expect(idsOf(reply)).toEqual([second, first]);
    expect(reply.json().data[0]).toEqual({
      id: second,
      event: "transfer.completed",
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      environment: "SANDBOX",
      resource_version: 1,
      data: { b: 1, a: null },
    });
    expect(reply.json().pagination).toMatchObject({ totalItems: 2, totalPages: 1 });
    const alone = await reader.get(`/events/${second}`);
    expect(alone.json().data).toEqual(reply.json().data[0]);
  });

  test("pages and filters by name and time", async () => {
    const reader = await createReader();
    const before = new Date(Date.now() - 1).toISOString();
    const credited = await reader.log(["wallet.credited"], ["wallet.credited"], ["wallet.credited"]);
    await reader.log(["transfer.failed"]);
    const after = new Date(Date.now() + 1).toISOString();
    const ofName = await reader.get("/events?event=wallet.credited&limit=2");
    expect(idsOf(ofName)).toEqual([credited[2], credited[1]]);
    expect(ofName.json().pagination).toMatchObject({ totalItems: 3, totalPages: 2, hasNextPage: true });
    expect(idsOf(await reader.get("/events?event=wallet.credited&limit=2&page=2"))).toEqual([credited[0]]);
    expect(idsOf(await reader.get(`/events?from=${before}&to=${after}`))).toHaveLength(4);
    expect(idsOf(await reader.get(`/events?event=transfer.failed&from=${before}&to=${after}`))).toHaveLength(1);
    expect(idsOf(await reader.get(`/events?to=${before}`))).toEqual([]);
    expect(idsOf(await reader.get(`/events?from=${after}&page=7`))).toEqual([]);
    expect(idsOf(await reader.get("/events?limit=3&page=2"))).toEqual([credited[0]]);
  });

  test("shows nothing that the sequencer has not numbered, so that no page shifts", async () => {
    const reader = await createReader();
    await record(db, reader.environmentId, someEvent());
    expect(idsOf(await reader.get("/events"))).toEqual([]);
    expect(idsOf(await reader.get("/events?event=wallet.credited"))).toEqual([]);
  });

  test("another merchant's event and no id at all are not found alike", async () => {
    const [reader, stranger] = [await createReader(), await createReader()];
    const [id] = await reader.log([]);
    for (const path of [`/events/${id}`, "/events/no-id", `/events/${crypto.randomUUID()}`]) {
      const reply = await stranger.get(path);
      expect([reply.statusCode, reply.json().code]).toEqual([404, "event_not_found"]);
    }
    expect(idsOf(await stranger.get("/events"))).toEqual([]);
  });

  test.each([
    ["event=nothing.happened", ["event"]],
    ["limit=101&page=0", ["limit", "page"]],
    ["from=yesterday", ["from"]],
  ])("refuses ?%s", async (query, fields) => {
    const reply = await call("GET", `/events?${query}`);
    expect(reply.statusCode).toBe(422);
    expect(
      reply
        .json()
        .errors.map(({ field }: { field: string }) => field)
        .sort(),
    ).toEqual(fields);
  });
});

async function readFeed(reader: { get(path: string): ReturnType<typeof call> }, query = ""): Promise<FeedReply> {
  const reply = await reader.get(`/events/feed?${query}`);
  expect(reply.statusCode).toBe(200);
  return reply.json().data;
}

describe("the feed", () => {
  test("gives every event once, oldest first, in pages", async () => {
    const reader = await createReader();
    const ids = await reader.log([], [], [], [], []);
    const first = await readFeed(reader, "limit=2");
    expect(first).toMatchObject({ events: [{ id: ids[0] }, { id: ids[1] }], hasMore: true });
    const second = await readFeed(reader, `limit=3&after=${first.cursor}`);
    expect(second).toMatchObject({ events: [{ id: ids[2] }, { id: ids[3] }, { id: ids[4] }], hasMore: false });
    const none = await readFeed(reader, `after=${second.cursor}`);
    expect(none).toEqual({ events: [], cursor: second.cursor, hasMore: false });
    const [next] = await reader.log([]);
    expect(await readFeed(reader, `after=${none.cursor}`)).toMatchObject({ events: [{ id: next }] });
  });

  test("of an empty log begins with what comes first", async () => {
    const reader = await createReader();
    const { events, cursor } = await readFeed(reader);
    expect(events).toEqual([]);
    const [id] = await reader.log([]);
    expect(await readFeed(reader, `after=${cursor}`)).toMatchObject({ events: [{ id }] });
  });

  test("begins with what happens from now on, when asked to", async () => {
    const reader = await createReader();
    const empty = await readFeed(reader, "after=latest");
    expect(empty.events).toEqual([]);
    const [first] = await reader.log([]);
    expect(await readFeed(reader, `after=${empty.cursor}`)).toMatchObject({ events: [{ id: first }] });
    const now = await readFeed(reader, "after=latest");
    expect(now).toMatchObject({ events: [], hasMore: false });
    const [next] = await reader.log([]);
    expect((await readFeed(reader, `after=${now.cursor}`)).events.map(({ id }) => id)).toEqual([next]);
  });

  test("skips nothing that was written early and committed late", async () => {
    const reader = await createReader();
    const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    const slow: Promise<string[]>[] = [];
    for (const gate of gates) {
      const written = Promise.withResolvers<void>();
      const committed = inEnvironment(db, reader.environmentId, async (tx) => {
        const ids = await recordEvents(tx, [someEvent()]);
        written.resolve();
        await gate.promise;
        return ids;
      });
      await written.promise;
      slow.push(committed);
    }
    // Written after the three, committed before them.
    const seen = [await reader.log([])];
    let { events, cursor } = await readFeed(reader);
    expect(events.map(({ id }) => id)).toEqual(seen.flat());
    for (const index of [1, 2, 0]) {
      gates[index]?.resolve();
      const late = await slow[index];
      await sequenceEvents(db);
      ({ events, cursor } = await readFeed(reader, `after=${cursor}`));
      expect(events.map(({ id }) => id)).toEqual(late);
    }
  });

  test("answers a waiting reader as soon as there is an event", async () => {
    const reader = await createReader();
    const waiting = readFeed(reader, "wait=30");
    const [id] = await reader.log([]);
    expect(await waiting).toMatchObject({ events: [{ id }], hasMore: false });
  });

  test("returns nothing when the time is up", async () => {
    const reader = await createReader();
    expect(await readFeed(reader, "wait=1")).toMatchObject({ events: [], hasMore: false });
  });

  test("holds no connection for those who wait", async () => {
    const reader = await createReader();
    const readers = Array.from({ length: 200 }, () => readFeed(reader, "wait=30"));
    // More wait than there are connections, and others are still served.
    for (let times = 0; times < 20; times += 1) expect((await reader.get("/events")).statusCode).toBe(200);
    const [id] = await reader.log([]);
    for (const reply of await Promise.all(readers)) expect(reply.events).toMatchObject([{ id }]);
  });

  test("refuses a cursor of another feed, of a log that started again, and nonsense", async () => {
    const [reader, other] = [await createReader(), await createReader()];
    await reader.log([]);
    await other.log([]);
    const { cursor } = await readFeed(reader);
    for (const after of [(await readFeed(other)).cursor, "nonsense"]) {
      const reply = await reader.get(`/events/feed?after=${after}`);
      expect([reply.statusCode, reply.json().code]).toEqual([422, "feed_cursor_unknown"]);
    }
    await resetLog(reader.merchant);
    await reader.log([], []);
    const reply = await reader.get(`/events/feed?after=${cursor}&wait=30`);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "feed_cursor_unknown"]);
  });

  test.each(["wait=31", "wait=-1", "wait=soon", "limit=0", "limit=101", `after=${"x".repeat(201)}`, "after="])(
    "refuses ?%s",
    async (query) => {
      const reply = await call("GET", `/events/feed?${query}`);
      expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    },
  );
});

function resetLog({ secretKey }: TestMerchant): Promise<unknown> {
  return call("POST", "/sandbox/reset", { key: secretKey, body: {} });
}

describe("over real sockets", () => {
  async function open(path: string, key: string) {
    if (!testing.app.server.listening) await testing.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = testing.app.server.address() as AddressInfo;
    const request = get({ port, path, headers: { authorization: `Bearer ${key}` } });
    return { request, response: once(request, "response") as Promise<[IncomingMessage]> };
  }

  test("a reader who hangs up is no longer waited for", async () => {
    const { request, response } = await open("/test/patient", testing.merchant.secretKey);
    response.catch(() => undefined);
    await arrived.promise;
    request.destroy();
    await left.promise;
  });

  test("a server that closes answers those who wait, and their cursor stays good", async () => {
    const reader = await createReader();
    const { response } = await open("/events/feed?wait=30", reader.merchant.secretKey);
    const { request, response: second } = await open("/events/feed?wait=30", reader.merchant.secretKey);
    await once(request, "finish");
    await reader.get("/events");
    await testing.app.close();
    for (const waiting of [response, second]) {
      const [reply] = await waiting;
      const chunks = await reply.toArray();
      expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ data: { events: [], hasMore: false } });
    }
  });
});
