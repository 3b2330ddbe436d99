/** The sandbox's clock, events, search and messages from the command line. */
import { describe, expect, test } from "vitest";
import { type Asked, jara, pages } from "../../testing/in-process.ts";

const at = "2026-11-16T23:30:00.000Z";
const posts = (asked: readonly Asked[]) =>
  asked.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [`${method} ${path}`, body]);

describe("the sandbox's clock", () => {
  const clock = { now: at, mode: "frozen", nextDueAt: null, seed: "demo" };

  test.each([
    ["30d", { seconds: 2_592_000 }],
    ["next", { until: "next_due" }],
  ])("advances by %s", async (span, body) => {
    const { code, out, asked } = await jara(`clock advance ${span}`, {
      replies: { "POST /sandbox/clock/advance": () => ({ from: at, to: at, ran: 1, nextDueAt: null }) },
    });
    expect(code).toBe(0);
    expect(out).toContain("1 thing that fell due");
    expect(posts(asked)[0]?.[1]).toMatchObject(body);
  });

  test("a span that is none is refused before anything is asked", async () => {
    const { code, err, asked } = await jara("clock advance 3weeks");
    expect(code).toBe(2);
    expect(err).toContain('"3weeks" is not a span of time.');
    expect(asked).toEqual([]);
  });

  test("freezes where it is, unless it is told when", async () => {
    const replies = { "GET /sandbox/clock": () => clock, "PUT /sandbox/clock": () => clock };
    const here = await jara("clock freeze", { replies });
    expect(posts(here.asked)).toEqual([["PUT /sandbox/clock", { mode: "frozen", now: at }]]);
    const there = await jara("clock freeze --at 2027-01-01T00:00:00Z --seed demo", { replies });
    expect(posts(there.asked)).toEqual([
      ["PUT /sandbox/clock", { mode: "frozen", now: "2027-01-01T00:00:00Z", seed: "demo" }],
    ]);
    expect(there.out).toContain("stands still");
  });
});

describe("events, search and messages", () => {
  const event = {
    id: "e-1",
    event: "transfer.completed",
    created_at: at,
    resource_version: 3,
    data: { id: "t-1", reference: "order-7" },
  };

  test("events are listed with what a person knows them by", async () => {
    const { out } = await jara("events list", { replies: { "GET /events": pages([event]) } });
    expect(out).toContain("order-7");
  });

  test("an event is shown with its payload and its deliveries", async () => {
    const delivery = { endpointId: "w-1", status: "failed", attempts: [{}, {}] };
    const { out } = await jara("events show e-1", {
      replies: { "GET /events/e-1/deliveries": pages([delivery]), "GET /events/e-1": () => event },
    });
    expect(out).toContain('"reference": "order-7"');
    expect(out).toMatch(/failed +w-1 +2/);
  });

  test("resending is asked of the server once", async () => {
    const { code, asked } = await jara("events resend e-1", {
      replies: { "POST /events/e-1/redeliver": () => ({ deliveries: 1 }), "GET /events/e-1": () => event },
    });
    expect(code).toBe(0);
    expect(posts(asked).map(([path]) => path)).toEqual(["POST /events/e-1/redeliver"]);
  });

  describe("resending all events of a time", () => {
    const clock = { now: "2026-11-19T12:00:00.000Z", mode: "frozen", nextDueAt: null, seed: null };
    const replies = (totalItems: number) => ({
      "GET /sandbox/clock": () => clock,
      "GET /events": () =>
        Response.json({
          status: true,
          data: [],
          pagination: { currentPage: 1, totalItems, hasNextPage: totalItems > 1 },
        }),
      "POST /events/redeliver": () => ({ events: totalItems, deliveries: 7 }),
    });

    test("counts them by the sandbox's clock, and sends them once", async () => {
      const words = "events resend --since 5m --event transfer.failed --yes";
      const { code, out, asked } = await jara(words, { replies: replies(12) });
      expect([code, out]).toEqual([0, expect.stringContaining("12 events of the last 5m")]);
      const span = { from: "2026-11-19T11:55:00.000Z", to: "2026-11-19T12:00:01.000Z" };
      const counted = new URL(asked.find(({ path }) => path.startsWith("/events?"))?.path ?? "", "http://jara.test");
      expect(Object.fromEntries(counted.searchParams)).toMatchObject({ ...span, event: "transfer.failed" });
      expect(posts(asked)).toEqual([["POST /events/redeliver", { ...span, events: ["transfer.failed"] }]]);
    });

    test("sends nothing without a yes, and nothing where there is nothing", async () => {
      const { code, err, asked } = await jara("events resend --since 5m", { replies: replies(3) });
      expect([code, posts(asked)]).toEqual([2, []]);
      expect(err).toContain("--yes");
      const none = await jara("events resend --since 5m", { replies: replies(0) });
      expect([none.code, none.out, posts(none.asked)]).toEqual([0, "No events in the last 5m.\n", []]);
    });

    test.each([
      "events resend",
      "events resend e-1 --since 5m",
      "events resend --since soon",
      "events resend e-1 --event x",
    ])("%s is not understood", async (words) => {
      const { code, asked } = await jara(words);
      expect([code, asked]).toEqual([2, []]);
    });
  });

  test("several words are one search, and what is found keeps its place", async () => {
    const find = {
      kind: "customer",
      id: "c-1",
      title: "Adaeze",
      subtitle: "",
      status: null,
      amount: null,
      createdAt: at,
    };
    const { out, asked } = await jara("search Adaeze Okafor", { replies: { "GET /search": () => [find] } });
    expect(asked[0]?.path).toMatch(/q=Adaeze(%20|\+)Okafor/);
    expect(out).toContain("Adaeze");
  });

  test("nothing found says what to try", async () => {
    const { out, code } = await jara("search x", { replies: { "GET /search": () => [] } });
    expect([code, out]).toEqual([0, "Nothing found. Try a whole reference, an account number or an id.\n"]);
  });

  test("a message's text stays on its line in a table", async () => {
    const message = { id: "m-1", to: "+2348031234567", text: "Your code\nis 123456", createdAt: at };
    const { out, asked } = await jara("messages --to 08031234567", {
      replies: { "GET /sandbox/messages": pages([message]) },
    });
    expect(out).toContain("Your code is 123456");
    expect(asked[0]?.path).toContain("to=08031234567");
  });
});
