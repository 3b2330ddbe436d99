/** Events that are sent again, as readers of the feed see them. */
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { record, someEvent } from "../../../testing/webhooks/events.ts";
import { sequenceEvents } from "../../platform/records/sequencer.ts";

const { db, call } = await createTestApp();

interface Feed {
  readonly events: readonly { readonly id: string }[];
  readonly cursor: string;
  readonly hasMore: boolean;
  readonly places?: readonly { readonly cursor: string; readonly resentAt: string | null }[];
}

/** A merchant of its own for each test, because each has one log. */
async function createReader() {
  const { environment, secretKey: key } = await createMerchant(db);
  const get = (path: string) => call("GET", path, { key });
  const post = (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
    call("POST", path, { key, body, headers });
  return {
    get,
    post,
    async log(...names: string[]): Promise<string[]> {
      const ids = await record(db, environment.id, ...names.map((name) => someEvent(name)));
      while ((await sequenceEvents(db)) > 0);
      return ids;
    },
    recordOnly: () => record(db, environment.id, someEvent()),
    resend: async (id: string | undefined) => {
      expect((await post(`/events/${id}/redeliver`)).statusCode).toBe(202);
    },
    async read(query = "", include = "include=resends&"): Promise<Feed> {
      const reply = await get(`/events/feed?${include}${query}`);
      expect(reply.statusCode).toBe(200);
      return reply.json().data;
    },
  };
}

const idsOf = ({ events }: Feed) => events.map(({ id }) => id);
/** As `id` for the first time and `id again` later. */
const toldBy = ({ events, places = [] }: Feed) =>
  events.map(({ id }, index) => (places[index]?.resentAt == null ? id : `${id} again`));

describe("an event that is sent again", () => {
  test("comes again where it was sent again, the same to the byte, for a reader who asks for resends", async () => {
    const reader = await createReader();
    const [one, two] = await reader.log("wallet.credited", "transfer.completed");
    await reader.resend(one);
    const [three] = await reader.log("transfer.failed");
    const feed = await reader.read();
    expect(toldBy(feed)).toEqual([one, two, `${one} again`, three]);
    expect(JSON.stringify(feed.events[2])).toBe(JSON.stringify(feed.events[0]));
    expect(feed.hasMore).toBe(false);
  });

  test("does not come again for other readers, and the log lists it once", async () => {
    const reader = await createReader();
    const [id] = await reader.log("wallet.credited");
    await reader.resend(id);
    const plain = await reader.read("", "");
    expect(plain).toEqual({ events: [{ ...plain.events[0], id }], cursor: plain.cursor, hasMore: false });
    expect((await reader.get("/events")).json()).toMatchObject({ data: [{ id }], pagination: { totalItems: 1 } });
  });

  test("comes once for each time that it was sent again, and for a replay under one Idempotency-Key once", async () => {
    const reader = await createReader();
    const [id] = await reader.log("wallet.credited");
    const { cursor } = await reader.read();
    for (const key of ["first", "first", "second"]) {
      await reader.post(`/events/${id}/redeliver`, {}, { "idempotency-key": key });
    }
    expect(idsOf(await reader.read(`after=${cursor}`))).toEqual([id, id]);
  });

  test("comes whichever endpoint it was sent to, and not when that was refused", async () => {
    const reader = await createReader();
    const added = await reader.post("/webhooks/endpoints", {
      url: "http://localhost:9/hooks",
      events: ["bill.failed"],
    });
    const [id] = await reader.log("wallet.credited");
    const { cursor } = await reader.read();
    const refused = await reader.post(`/events/${id}/redeliver`, { endpointId: crypto.randomUUID() });
    expect(refused.statusCode).toBe(404);
    expect(idsOf(await reader.read(`after=${cursor}`))).toEqual([]);
    const sent = await reader.post(`/events/${id}/redeliver`, { endpointId: added.json().data.id });
    expect(sent.json().data).toEqual({ events: 1, deliveries: 1 });
    expect(idsOf(await reader.read(`after=${cursor}`))).toEqual([id]);
  });

  test("with a span comes in the order of the log", async () => {
    const reader = await createReader();
    const ids = await reader.log("wallet.credited", "transfer.failed", "wallet.credited");
    const { cursor } = await reader.read();
    await reader.post("/events/redeliver", { from: "2020-01-01", to: "2099-01-01", events: ["wallet.credited"] });
    expect(idsOf(await reader.read(`after=${cursor}`))).toEqual([ids[0], ids[2]]);
    await reader.post("/events/redeliver", { from: "2020-01-01", to: "2020-01-02" });
    expect((await reader.read(`after=${cursor}`)).events).toHaveLength(2);
  });

  test("that has no position yet comes once: its first time is still ahead", async () => {
    const reader = await createReader();
    const [id] = await reader.recordOnly();
    await reader.resend(id);
    await sequenceEvents(db);
    expect(toldBy(await reader.read())).toEqual([id]);
  });

  test("reaches nobody else", async () => {
    const [reader, stranger] = [await createReader(), await createReader()];
    const [id] = await reader.log("wallet.credited");
    const [own] = await stranger.log("wallet.credited");
    await reader.resend(id);
    expect((await stranger.post(`/events/${id}/redeliver`)).statusCode).toBe(404);
    expect(toldBy(await stranger.read())).toEqual([own]);
  });

  test("wakes a reader who waits for resends", async () => {
    const reader = await createReader();
    const [id] = await reader.log("wallet.credited");
    const { cursor } = await reader.read();
    const waiting = reader.read(`after=${cursor}&wait=30`);
    await reader.resend(id);
    expect(toldBy(await waiting)).toEqual([`${id} again`]);
  });
});

describe("a cursor of the feed with resends", () => {
  test("goes on after each event and each resend, page by page", async () => {
    const reader = await createReader();
    const [one, two] = await reader.log("wallet.credited", "transfer.failed");
    await reader.resend(one);
    await reader.resend(two);
    const [three] = await reader.log("bill.failed");
    const whole = await reader.read();
    const expected = [one, two, `${one} again`, `${two} again`, three];
    expect(toldBy(whole)).toEqual(expected);
    for (const [index, { cursor } = { cursor: "" }] of whole.places?.entries() ?? []) {
      const rest = await reader.read(`after=${cursor}&limit=2`);
      expect(toldBy(rest)).toEqual(expected.slice(index + 1, index + 3));
      expect(rest.hasMore).toBe(index < 2);
    }
    expect(whole.places?.at(-1)?.cursor).toBe(whole.cursor);
  });

  test("begins with what is sent again from now on, when asked to", async () => {
    const reader = await createReader();
    const empty = await reader.read("after=latest");
    const [id] = await reader.log("wallet.credited");
    await reader.resend(id);
    expect(toldBy(await reader.read(`after=${empty.cursor}`))).toEqual([id, `${id} again`]);
    const { cursor } = await reader.read("after=latest");
    expect(toldBy(await reader.read(`after=${cursor}`))).toEqual([]);
    await reader.resend(id);
    expect(toldBy(await reader.read(`after=${cursor}`))).toEqual([`${id} again`]);
  });

  test("may come from the plain feed: what was sent again after its event comes, earlier resends do not", async () => {
    const reader = await createReader();
    const [one] = await reader.log("wallet.credited");
    await reader.resend(one);
    const [two] = await reader.log("transfer.failed");
    const plain = await reader.read("", "");
    await reader.resend(two);
    expect(toldBy(await reader.read(`after=${plain.cursor}`))).toEqual([`${two} again`]);
    const first = await reader.read("limit=1", "");
    expect(toldBy(await reader.read(`after=${first.cursor}`))).toEqual([`${one} again`, two, `${two} again`]);
    const back = (await reader.read()).places?.[1]?.cursor;
    expect(idsOf(await reader.read(`after=${back}`, ""))).toEqual([two]);
  });

  test("is refused when it names a resend that is not there, or the sandbox was emptied", async () => {
    const reader = await createReader();
    const [id] = await reader.log("wallet.credited");
    await reader.resend(id);
    const { cursor } = await reader.read();
    const made = Buffer.from(`1/${id}/2`).toString("base64url");
    await expect(codeAfter(reader, made)).resolves.toBe("feed_cursor_unknown");
    await reader.post("/sandbox/reset");
    const [fresh] = await reader.log("wallet.credited");
    await expect(codeAfter(reader, cursor)).resolves.toBe("feed_cursor_unknown");
    expect(toldBy(await reader.read())).toEqual([fresh]);
  });

  test.each(["include=", "include=everything", "include=resends&include=resends"])(
    "is not asked for by ?%s",
    async (query) => {
      const reply = await call("GET", `/events/feed?${query}`);
      expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    },
  );
});

async function codeAfter({ get }: Pick<Awaited<ReturnType<typeof createReader>>, "get">, cursor: string) {
  return (await get(`/events/feed?include=resends&after=${cursor}`)).json().code;
}

test("every event and every resend comes once, each after its event, while many write and send again", async () => {
  const reader = await createReader();
  const first = await reader.log(...Array.from({ length: 10 }, () => "wallet.credited"));
  const seen: string[] = [];
  let cursor = (await reader.read("limit=1")).places?.[0]?.cursor;
  let isWriting = true;
  const readOn = async (): Promise<boolean> => {
    const feed = await reader.read(`after=${cursor}&limit=${1 + (seen.length % 7)}`);
    seen.push(...toldBy(feed));
    cursor = feed.cursor;
    return feed.hasMore;
  };
  const reading = (async () => {
    while (isWriting) await readOn();
  })();
  const sequencing = (async () => {
    while (isWriting) await sequenceEvents(db);
  })();
  const written = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const [id] = await reader.recordOnly();
      await reader.resend(first[index % 10]);
      return id;
    }),
  );
  isWriting = false;
  await Promise.all([reading, sequencing]);
  await sequenceEvents(db);
  while (await readOn());
  const again = Array.from({ length: 40 }, (_, index) => `${first[index % 10]} again`);
  expect(seen.toSorted()).toEqual([...first.slice(1), ...written, ...again].toSorted());
  expect(first.slice(1).every((id) => seen.indexOf(id) < seen.indexOf(`${id} again`))).toBe(true);
});
