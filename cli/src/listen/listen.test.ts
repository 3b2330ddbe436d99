/** Events as they happen: what is printed, what is forwarded, and where the next run goes on. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Asked, jara, refusal } from "../../testing/in-process.ts";

const event = (number: number, name = "transfer.completed") => ({
  id: `e-${number}`,
  event: name,
  created_at: "2026-11-16T23:30:00.000Z",
  resource_version: 1,
  data: { id: `t-${number}`, reference: `order-${number}` },
});
type Event = ReturnType<typeof event>;

/** Each place is after its event. */
const page = (events: readonly Event[], cursor: string, resentAt: string | null = null) => ({
  events,
  places: events.map(({ id }) => ({ cursor: `after-${id}`, resentAt })),
  cursor,
});

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), "jara-listen-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Run {
  readonly words?: string;
  readonly pages?: readonly unknown[];
  readonly in?: string;
  readonly replies?: Readonly<Record<string, (asked: Asked) => unknown>>;
}

/** Listens until the pages are read, as if Ctrl-C came then. */
async function listen({ words = "listen", pages = [], in: folder = home(), replies = {} }: Run) {
  const stop = new AbortController();
  const left = [...pages];
  const feed = ({ path }: Asked) => {
    if (path.includes("after=latest")) return page([], "now");
    const next = left.shift();
    if (next !== undefined) return next;
    stop.abort();
    return page([], "end");
  };
  const played = await jara(words, {
    env: { JARA_HOME: folder },
    stopped: stop.signal,
    replies: { "GET /events/feed": feed, ...replies },
  });
  const places = played.asked
    .filter(({ path }) => path.startsWith("/events/feed"))
    .map(({ path }) => new URL(path, "http://jara.test").searchParams.get("after"));
  return { ...played, places, lines: played.out.split("\n").filter((line) => line !== "") };
}

describe("what is printed", () => {
  test("each event has a line with its time in Lagos, its name and what a person knows it by", async () => {
    const { code, lines, err } = await listen({ pages: [page([event(1), event(2, "bill.failed")], "c-2")] });
    expect(code).toBe(0);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/17 Nov.*00:30:00 {2}transfer\.completed {2}order-1 {2}e-1$/);
    expect(lines[1]).toContain("bill.failed  order-2  e-2");
    expect(err).toContain("Listening to http://jara.test. Ctrl-C ends it; the next run goes on from here.");
  });

  test("an event that somebody had sent again says so", async () => {
    const { lines } = await listen({ pages: [page([event(1)], "c-1", "2026-11-17T08:00:00.000Z")] });
    expect(lines[0]).toContain("order-1  sent again  e-1");
  });

  test("JSON is one whole event on each line, as it is on the wire", async () => {
    const { lines } = await listen({ words: "listen --json", pages: [page([event(1), event(2)], "c-2")] });
    expect(lines.map((line) => JSON.parse(line))).toEqual([event(1), event(2)]);
  });

  test("only those that were asked for are printed, however they are parted", async () => {
    const all = [event(1), event(2, "bill.failed"), event(3, "loan.created")];
    const { lines } = await listen({
      words: "listen --events=bill.failed,transfer.completed",
      pages: [page(all, "c-3")],
    });
    expect(lines.map((line) => /e-\d$/.exec(line)?.[0])).toEqual(["e-1", "e-2"]);
  });

  test("a name that nobody knows is remarked on, and listened for all the same", async () => {
    const { err, lines } = await listen({
      words: "listen --events transfer.complete,event.of.tomorrow",
      pages: [page([event(1, "event.of.tomorrow")], "c-1")],
    });
    expect(err).toContain("transfer.complete is not an event that is known here. Did you mean transfer.completed?");
    expect(err).toContain("event.of.tomorrow is not an event that is known here.\n");
    expect(lines).toHaveLength(1);
  });
});

describe("where it goes on", () => {
  test("the first run begins now, and not with what happened before it", async () => {
    const { places } = await listen({ pages: [page([], "c-1")] });
    expect(places).toEqual(["latest", "now", "c-1"]);
  });

  test("from the start there is no place yet", async () => {
    const { places } = await listen({ words: "listen --from-start", pages: [page([event(1)], "c-1")] });
    expect(places).toEqual([null, "c-1"]);
  });

  test("the next run goes on where the last one ended", async () => {
    const folder = home();
    await listen({ in: folder, pages: [page([event(1)], "c-1")] });
    const { places } = await listen({ in: folder });
    expect(places).toEqual(["c-1"]);
  });

  test("two listeners for two kinds of events have two places", async () => {
    const folder = home();
    await listen({ in: folder, pages: [page([event(1)], "c-1")] });
    const { places } = await listen({ in: folder, words: "listen --events bill.failed" });
    expect(places[0]).toBe("latest");
  });

  test("a sandbox that was emptied is begun again, and that is said", async () => {
    const { places, err, lines } = await listen({
      pages: [refusal(400, "feed_cursor_unknown", "The log has no such place."), page([event(1)], "c-1")],
    });
    expect(err).toContain("The sandbox was emptied. Going on with what is new.");
    expect(places).toEqual(["latest", "now", null, "c-1"]);
    expect(lines).toHaveLength(1);
  });

  test("what is in the archive is passed over, to where what is online begins", async () => {
    const { places, err } = await listen({
      pages: [
        refusal(410, "feed_cursor_archived", "It is in the archive.", { data: { cursor: "online" } }),
        page([event(9)], "c-9"),
      ],
    });
    expect(err).toContain("What came next is in the archive (jara archive read).");
    expect(places).toEqual(["latest", "now", "online", "c-9"]);
  });

  test("a key that was revoked ends it, with the code for keys", async () => {
    const { code, err } = await listen({ pages: [refusal(401, "invalid_key", "The key is not valid.")] });
    expect(code).toBe(4);
    expect(err).toContain("The key is not valid.");
  });
});

describe("what is forwarded", () => {
  const words = "listen --forward-to localhost:3000/hooks";
  const hooks = (asked: readonly Asked[]) => asked.filter(({ path }) => path === "/hooks");

  test("each event goes out once, whole and signed, to an address that people write without http", async () => {
    const { asked, lines, err } = await listen({
      words,
      pages: [page([event(1), event(2)], "c-2")],
      replies: { "POST /hooks": () => new Response("", { status: 200 }) },
    });
    expect(hooks(asked).map(({ body }) => body)).toEqual([event(1), event(2)]);
    expect(hooks(asked)[0]?.headers.get("webhook-signature")).toMatch(/^v1,/);
    expect(err).toMatch(/Forwarding to http:\/\/localhost:3000\/hooks, signed with whsec_/);
    expect(lines[0]).toMatch(/order-1 {2}200 {2}\d+ ms {2}e-1$/);
  });

  test("events that were not asked for are not forwarded", async () => {
    const { asked } = await listen({
      words: `${words} --events bill.failed`,
      pages: [page([event(1), event(2, "bill.failed")], "c-2")],
      replies: { "POST /hooks": () => new Response(null, { status: 204 }) },
    });
    expect(hooks(asked).map(({ body }) => (body as Event).id)).toEqual(["e-2"]);
  });

  test("the secret stays the same from run to run: the application keeps it", async () => {
    const folder = home();
    const secretOf = ({ err }: { readonly err: string }) => /whsec_\S+/.exec(err)?.[0];
    const first = secretOf(await listen({ words, in: folder }));
    expect(secretOf(await listen({ words, in: folder }))).toBe(first);
    expect(secretOf(await listen({ words }))).not.toBe(first);
  });

  test("who stops before the application has taken an event gets it again in the next run", async () => {
    const folder = home();
    const stop = new AbortController();
    await jara(words, {
      env: { JARA_HOME: folder },
      stopped: stop.signal,
      replies: {
        "GET /events/feed": ({ path }) =>
          path.includes("after=latest") ? page([], "now") : page([event(1), event(2)], "c-2"),
        "POST /hooks": ({ body }) => {
          if ((body as Event).id === "e-1") return new Response("", { status: 200 });
          stop.abort();
          throw new TypeError("fetch failed");
        },
      },
    });
    const { places } = await listen({ words, in: folder });
    expect(places[0]).toBe("after-e-1");
  });

  test.each(["ftp://localhost/hooks", "http://", "localhost:port/x"])("%s is no address to forward to", async (to) => {
    const { code, err, asked } = await jara(["listen", "--forward-to", to]);
    expect(code).toBe(2);
    expect(err).toContain(`"${to}" is not an address. Write it whole: http://localhost:3000/hooks`);
    expect(asked).toEqual([]);
  });
});
