/** The feed as a program reads it, and records that are waited for. */
import { describe, expect, test } from "vitest";
import { Jara, JaraStillWaitingError } from "../index.ts";

/** A client whose network returns these one after the other; the last one stays. */
function clientWith(...replies: readonly (object | Response)[]) {
  const left = [...replies];
  const asked: string[] = [];
  const jara = new Jara({
    secretKey: "sk_test_1",
    baseUrl: "http://jara.test",
    maxRetries: 0,
    fetch: async (url, { method }) => {
      asked.push(`${method} ${url.slice("http://jara.test".length)}`);
      const next = left.length > 1 ? left.shift() : left[0];
      return next instanceof Response ? next.clone() : Response.json({ status: true, data: next });
    },
  });
  return { jara, asked };
}

const event = (number: number) => ({ id: `e-${number}`, event: "transfer.completed" });
const feed = (cursor: string, ...numbers: readonly number[]) => ({ events: numbers.map(event), cursor });
const away = () => Response.json({ status: false, code: "unavailable", message: "Away." }, { status: 503 });

/** Reads so many events, and stops. */
async function read(events: AsyncIterable<{ readonly id: string }>, count: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of events) {
    ids.push(id);
    if (ids.length === count) break;
  }
  return ids;
}

describe("the feed", () => {
  test("comes event by event, over its pages, in order", async () => {
    const { jara, asked } = clientWith(feed("c-2", 1, 2), feed("c-3", 3), feed("c-3"));
    expect(await read(jara.events.follow(), 3)).toEqual(["e-1", "e-2", "e-3"]);
    expect(asked).toEqual(["GET /events/feed?wait=20", "GET /events/feed?after=c-2&wait=20"]);
  });

  test("begins after the cursor that was kept", async () => {
    const { jara, asked } = clientWith(feed("c-9", 9));
    await read(jara.events.follow({ after: "c-8", waitSeconds: 5 }), 1);
    expect(asked).toEqual(["GET /events/feed?after=c-8&wait=5"]);
  });

  test("tells a cursor only after everything before it was handled", async () => {
    const { jara } = clientWith(feed("c-2", 1, 2), feed("c-3", 3));
    const story: string[] = [];
    const events = jara.events.follow({ onCursor: (cursor) => void story.push(cursor) });
    for await (const { id } of events) {
      story.push(id);
      if (id === "e-3") break;
    }
    // Who stops in the middle of a page is not told its cursor: what was not handled comes again.
    expect(story).toEqual(["e-1", "e-2", "c-2", "e-3"]);
  });

  test("waits for a cursor that is still being stored", async () => {
    const { jara } = clientWith(feed("c-1", 1), feed("c-2", 2));
    const story: string[] = [];
    const events = jara.events.follow({
      onCursor: async (cursor) => {
        await Promise.resolve();
        story.push(`stored ${cursor}`);
      },
    });
    for await (const { id } of events) {
      story.push(id);
      if (id === "e-2") break;
    }
    expect(story).toEqual(["e-1", "stored c-1", "e-2"]);
  });

  test("says nothing of a cursor that has not moved", async () => {
    const { jara } = clientWith(feed("c-0"), feed("c-0"), feed("c-1", 1));
    const cursors: string[] = [];
    await read(jara.events.follow({ after: "c-0", onCursor: (cursor) => cursors.push(cursor) }), 1);
    expect(cursors).toEqual([]);
  });

  test("brings what was sent again only to who asks for it", async () => {
    const { jara, asked } = clientWith(feed("c-1", 1));
    await read(jara.events.follow({ resends: true }), 1);
    await read(jara.events.follow({ resends: false }), 1);
    expect(asked.map((line) => line.includes("include=resends"))).toEqual([true, false]);
  });

  test("ends with the signal's reason", async () => {
    const { jara } = clientWith(feed("c-0"));
    const stop = new AbortController();
    stop.abort(new Error("the program ends"));
    await expect(read(jara.events.follow({ signal: stop.signal }), 1)).rejects.toThrow("the program ends");
  });

  test("a refusal ends it, and says which", async () => {
    const { jara } = clientWith(
      Response.json({ status: false, code: "feed_cursor_unknown", message: "No such place." }, { status: 400 }),
    );
    await expect(read(jara.events.follow(), 1)).rejects.toMatchObject({ code: "feed_cursor_unknown" });
  });
});

describe("waiting for an end", () => {
  const quick = { pollMs: 1, timeoutMs: 60_000 };

  test.each(["completed", "failed", "reversed"])("a payout that is %s has ended", async (status) => {
    const { jara, asked } = clientWith({ status: "pending" }, { status: "processing" }, { status });
    expect(await jara.transfers.waitUntilFinal("t-1", quick)).toMatchObject({ status });
    expect(asked).toHaveLength(3);
  });

  test.each(["successful", "failed", "reversed"])("a bill that is %s has ended", async (status) => {
    const { jara, asked } = clientWith({ status: "pending" }, { status: "processing" }, { status });
    expect(await jara.bills.waitUntilFinal("v-1", quick)).toMatchObject({ status });
    expect(asked).toHaveLength(3);
  });

  test("a batch has ended when all of it has", async () => {
    const { jara, asked } = clientWith({ status: "processing" }, { status: "completed" });
    await jara.transfers.bulk.waitUntilFinal("b-1", quick);
    expect(asked).toEqual(["GET /transfers/bulk/b-1", "GET /transfers/bulk/b-1"]);
  });

  test.each(["completed", "expired", "cancelled"])("a checkout session that is %s has ended", async (status) => {
    const { jara } = clientWith({ status: "open" }, { status });
    expect(await jara.loans.bnpl.sessions.waitUntilFinal("s-1", quick)).toMatchObject({ status });
  });

  test("a server that is away meanwhile does not end it", async () => {
    const { jara, asked } = clientWith({ status: "pending" }, away(), { status: "completed" });
    expect(await jara.transfers.waitUntilFinal("t-1", quick)).toMatchObject({ status: "completed" });
    expect(asked).toHaveLength(3);
  });

  test("a record that nobody has ends it at once", async () => {
    const gone = Response.json({ status: false, code: "transfer_not_found", message: "None." }, { status: 404 });
    const { jara, asked } = clientWith(gone);
    await expect(jara.transfers.waitUntilFinal("t-1", quick)).rejects.toMatchObject({ code: "transfer_not_found" });
    expect(asked).toHaveLength(1);
  });

  test("who has no more time gets the record as it was read last: nothing has failed", async () => {
    const { jara } = clientWith({ id: "t-1", status: "processing" });
    const waiting = jara.transfers.waitUntilFinal("t-1", { timeoutMs: 0 });
    await expect(waiting).rejects.toBeInstanceOf(JaraStillWaitingError);
    await expect(waiting).rejects.toMatchObject({ last: { id: "t-1", status: "processing" } });
  });
});
