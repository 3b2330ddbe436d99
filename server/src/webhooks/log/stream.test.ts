/** Events as they happen, over a real connection: in order, each once, whatever is cut. */
import { randomInt } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { testOrigin } from "../../../testing/factories.ts";
import { issueKeyFor } from "../../../testing/keys.ts";
import { record, someEvent } from "../../../testing/webhooks/events.ts";
import { sseReader } from "../../../testing/webhooks/sse-reader.ts";
import { eventually } from "../../../testing/work.ts";
import { unauthorized } from "../../auth/errors.ts";
import { issueKey } from "../../auth/issue-key.ts";
import { revokeKey } from "../../auth/revoke-key.ts";
import { rotateKey } from "../../auth/rotate-key.ts";
import { inEnvironment, operatorScope } from "../../platform/database/database.ts";
import { createFeedWatch } from "../../platform/records/feed-watch.ts";
import { sequenceEvents } from "../../platform/records/sequencer.ts";
import { mostStreams } from "./event-routes.ts";
import { readFeedTotals } from "./feed-store.ts";
import { readFeed } from "./read-feed.ts";
import { streamFeed } from "./stream-feed.ts";

const testing = await createTestApp();
const { db, merchant, otherMerchant, call } = testing;
const address = await testing.app.listen({ host: "127.0.0.1", port: 0 });
const stops: (() => void)[] = [];
afterAll(() => {
  for (const stop of stops) stop();
});

interface Asked {
  readonly query?: string;
  readonly lastId?: string;
  readonly key?: string;
}

async function open({ query = "", lastId, key = merchant.secretKey }: Asked = {}) {
  const stream = await sseReader(`${address}/events/stream${query}`, { key, lastId });
  stops.push(stream.stop);
  return stream;
}

/** Commits events and numbers them, as the sequencer of any process does. */
async function happen(count: number, name = "wallet.credited", environmentId = merchant.environment.id) {
  const events = Array.from({ length: count }, () => someEvent(name));
  const ids = await record(db, environmentId, ...events);
  await sequenceEvents(db);
  return ids;
}

test("each event comes as it happens, as webhooks and the log show it, and nobody else's", async () => {
  await happen(2);
  const stream = await open();
  expect(stream.reply.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(stream.reply.headers.get("cache-control")).toBe("no-store");
  expect(stream.reply.headers.get("content-encoding")).toBeNull();
  expect(stream.reply.headers.get("etag")).toBeNull();
  await happen(1, "wallet.credited", otherMerchant.environment.id);
  const ids = await happen(3);
  const heard = await stream.take(3);
  expect(heard.map(({ data }) => data["id"])).toEqual(ids);
  expect(heard[0]?.data).toEqual((await call("GET", `/events/${ids[0]}`)).json().data);
  expect(new Set(heard.map(({ id }) => id)).size).toBe(3);
});

test("a reader that is cut anywhere and comes back misses nothing and hears nothing twice", async () => {
  const start = await open();
  await start.quiet();
  let lastId = start.lastId();
  start.stop();
  const expected: string[] = [];
  const heard: string[] = [];
  for (let round = 0; round < 8; round += 1) {
    expected.push(...(await happen(randomInt(1, 5))));
    const stream = await open(round % 2 === 0 ? { lastId } : { query: `?after=${lastId}` });
    expected.push(...(await happen(randomInt(1, 5))));
    const most = expected.length - heard.length;
    const some = await stream.take(round === 7 ? most : randomInt(1, most + 1));
    heard.push(...some.map(({ data }) => String(data["id"])));
    lastId = some.at(-1)?.id ?? lastId;
    stream.stop();
  }
  expect(heard).toEqual(expected);
});

test("more than a page of the feed comes all the same, and its cursor is an id of the stream", async () => {
  const { cursor } = (await call("GET", "/events/feed?after=latest")).json().data;
  const ids = await happen(250);
  const stream = await open({ lastId: cursor });
  expect((await stream.take(250)).map(({ data }) => data["id"])).toEqual(ids);
});

test("only events of a name, and the place moves along with the others", async () => {
  const stream = await open({ query: "?event=bill.failed" });
  await stream.quiet();
  const before = stream.lastId();
  await happen(3);
  const [wanted] = await happen(1, "bill.failed");
  await happen(2);
  expect((await stream.take(1))[0]?.data).toMatchObject({ id: wanted, event: "bill.failed" });
  await eventually("the place moves", () => stream.lastId() !== before);
  const bad = await call("GET", "/events/stream?event=nothing.happened");
  expect([bad.statusCode, bad.json().code]).toEqual([422, "validation_failed"]);
});

test("JSON is one page of the feed", async () => {
  const { cursor } = (await call("GET", "/events/feed?after=latest")).json().data;
  const ids = await happen(2);
  const { data } = (await call("GET", `/events/stream?after=${cursor}`)).json();
  expect(data.events.map(({ id }: { id: string }) => id)).toEqual(ids);
});

describe("refusals, before the first byte", () => {
  const refused = async (asked: Asked) => {
    const { reply } = await open(asked);
    return [reply.status, JSON.parse(await reply.text()).code];
  };

  test("a place that is not of this feed", async () => {
    expect(await refused({ lastId: "nonsense" })).toEqual([422, "feed_cursor_unknown"]);
    const { cursor } = (await call("GET", "/events/feed?after=latest")).json().data;
    expect(await refused({ lastId: cursor, key: otherMerchant.secretKey })).toEqual([422, "feed_cursor_unknown"]);
  });

  test("a key that may not, or that nobody has", async () => {
    const key = await issueKeyFor(db, merchant.environment.id, { scopes: ["transfers:read"] });
    expect(await refused({ key })).toEqual([403, "scope_missing"]);
    expect(await refused({ key: `sk_test_${"A".repeat(36)}` })).toEqual([401, "invalid_key"]);
  });

  test("more streams of a key than there may be; one that ends makes room", async () => {
    const key = await issueKeyFor(db, merchant.environment.id);
    const all = await Promise.all(Array.from({ length: mostStreams }, () => open({ key })));
    expect(all.map(({ reply }) => reply.status)).toEqual(all.map(() => 200));
    const { reply } = await open({ key });
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(JSON.parse(await reply.text()).code).toBe("too_many_streams");
    expect((await open()).reply.status).toBe(200);
    all[0]?.stop();
    await eventually("there is room again", async () => {
      const again = await open({ key });
      return again.reply.status === 200;
    });
    for (const stream of all) stream.stop();
  });
});

test("streams end within five seconds after their key is revoked, expires or is rotated", async () => {
  const environmentId = merchant.environment.id;
  const issue = (expiresAt: Date | null = null) =>
    inEnvironment(db, operatorScope, (tx) =>
      issueKey(tx, { environmentId, name: "Short", expiresAt, origin: testOrigin }),
    );
  const [revoked, rotated] = [await issue(), await issue()];
  const expired = await issue(new Date(Date.now() + 2_000));
  const streams = await Promise.all([revoked, rotated, expired].map(({ key }) => open({ key })));
  for (const stream of streams) await stream.quiet();
  const { cursor } = (await call("GET", "/events/feed?after=latest", { key: revoked.key })).json().data;
  const waiting = call("GET", `/events/feed?wait=5&after=${cursor}`, { key: revoked.key });
  const endedAt = Date.now() + 5_000;
  await inEnvironment(db, operatorScope, async (tx) => {
    await revokeKey(tx, { keyId: revoked.id, origin: testOrigin });
    await rotateKey(tx, { keyId: rotated.id, overlapSeconds: 0, origin: testOrigin });
  });
  await Promise.all(streams.map((stream) => stream.ended()));
  expect(Date.now()).toBeLessThan(endedAt + 2_000);
  const { statusCode, body } = await waiting;
  expect([statusCode, JSON.parse(body).code]).toEqual([401, "key_revoked"]);
});

describe("limits", () => {
  const watch = createFeedWatch({ readTotals: (ids) => readFeedTotals(db, ids) });
  const start = async (limits: { heartbeatMs: number; longestMs: number }) => {
    const gone = new AbortController();
    const environmentId = merchant.environment.id;
    const question = { environmentId, after: "latest", withResends: false, limit: 100, waitMs: 0, gone: gone.signal };
    const first = await readFeed(db, watch, question);
    const rights: { recheck(): Promise<void> } = { recheck: async () => undefined };
    const asked = { environmentId, kind: "SANDBOX", event: undefined, gone: gone.signal, first } as const;
    const recheck = () => rights.recheck();
    return { gone, first, rights, stream: streamFeed({ db, watch }, { ...asked, recheck }, limits) };
  };

  test("a stream on which nothing happens shows that it lives, and says where it is", async () => {
    const { stream, first, gone } = await start({ heartbeatMs: 5, longestMs: 60_000 });
    const beat = `: ok\nid: ${first.cursor}\n\n`;
    expect((await stream.next()).value).toBe("retry: 1000\n\n");
    for (let n = 0; n < 3; n += 1) expect((await stream.next()).value).toBe(beat);
    gone.abort();
    await stream.return(undefined);
  });

  test("a stream ends by itself after its time", async () => {
    const { stream } = await start({ heartbeatMs: 60_000, longestMs: 50 });
    const chunks: string[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThanOrEqual(2);
    expect(watch.waiting()).toBe(0);
  });

  test("a page is not sent to a reader who was refused since the page before", async () => {
    const { stream, rights } = await start({ heartbeatMs: 60_000, longestMs: 60_000 });
    await stream.next();
    await stream.next();
    rights.recheck = () => Promise.reject(unauthorized("key_revoked"));
    await happen(1);
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  test("a reader who leaves leaves nothing behind", async () => {
    const { stream, gone } = await start({ heartbeatMs: 60_000, longestMs: 60_000 });
    await stream.next();
    await stream.next();
    const waiting = stream.next();
    await eventually("it waits", () => watch.waiting() === 1);
    gone.abort();
    expect((await waiting).done === true || (await stream.next()).done).toBe(true);
    expect(watch.waiting()).toBe(0);
  });
});

test("a sandbox that is reset ends its streams, and the old place is refused", async () => {
  const stream = await open({ key: otherMerchant.secretKey });
  await happen(1, "wallet.credited", otherMerchant.environment.id);
  await stream.take(1);
  expect((await call("POST", "/sandbox/reset", { key: otherMerchant.secretKey })).statusCode).toBe(200);
  await happen(1, "wallet.credited", otherMerchant.environment.id);
  await stream.ended();
  const again = await open({ key: otherMerchant.secretKey, lastId: stream.lastId() });
  expect(again.reply.status).toBe(422);
});

test("a server that stops ends its streams in order", async () => {
  const stream = await open();
  await stream.quiet();
  await testing.app.close();
  await stream.ended();
});
