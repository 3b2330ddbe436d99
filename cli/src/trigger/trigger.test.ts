/** From the word to the event: what is waited for, and what is said about the clock. */
import { expect, test } from "vitest";
import { type Asked, jara, refusal } from "../../testing/in-process.ts";

const event = (name: string, data: object) => ({
  id: "e-1",
  event: name,
  created_at: "2026-11-16T23:30:00.000Z",
  resource_version: 1,
  data,
});
const frozen = { now: "2026-11-01T08:00:00.000Z", mode: "frozen", nextDueAt: null, seed: null };
const running = { ...frozen, mode: "running" };

/** The first page is asked for to know where to begin; each further one is what came since. */
function feed(...later: readonly (readonly object[])[]) {
  const left = [...later];
  return ({ path }: Asked) =>
    path.includes("after=latest")
      ? { events: [], cursor: "c-0" }
      : { events: left.shift() ?? [], cursor: `c-${later.length - left.length}` };
}
const calm = {
  "POST /transfers": () => ({ id: "t-1" }),
  "GET /sandbox/clock": () => running,
  "POST /sandbox/clock/advance": () => ({ from: frozen.now, to: "2026-11-01T08:00:10.000Z", ran: 1, nextDueAt: null }),
};

test("the event about what was played is shown, whatever else happens meanwhile", async () => {
  const others = [event("transfer.completed", { id: "t-0" }), event("transfer.failed", { id: "t-1" })];
  const { code, out, err, asked } = await jara("trigger transfer.completed", {
    replies: { ...calm, "GET /events/feed": feed(others, [event("transfer.completed", { id: "t-1" })]) },
  });
  expect(code).toBe(0);
  expect(out).toContain("t-1");
  expect(err).toBe("");
  const places = asked.filter(({ path }) => path.startsWith("/events/feed")).map(({ path }) => path);
  expect(places.map((path) => /after=([^&]+)/.exec(path)?.[1])).toEqual(["latest", "c-0", "c-1"]);
});

test("the place in the feed is taken before anything is played: nothing can be missed", async () => {
  const { asked } = await jara("trigger transfer.completed", {
    replies: { ...calm, "GET /events/feed": feed([event("transfer.completed", { id: "t-1" })]) },
  });
  const lines = asked.map(({ method, path }) => `${method} ${path.split("?")[0]}`);
  expect(lines.indexOf("GET /events/feed")).toBeLessThan(lines.indexOf("POST /transfers"));
});

test("JSON is the event, as it came", async () => {
  const { out } = await jara("trigger transfer.completed --json", {
    replies: { ...calm, "GET /events/feed": feed([event("transfer.completed", { id: "t-1", amount: 1_500 })]) },
  });
  expect(JSON.parse(out)).toMatchObject({ id: "e-1", event: "transfer.completed", data: { amount: 1_500 } });
});

test("where the clock stood still, it is said that it was moved, and from when to when", async () => {
  const { code, err } = await jara("trigger transfer.completed", {
    replies: {
      ...calm,
      "GET /sandbox/clock": () => frozen,
      "GET /events/feed": feed([event("transfer.completed", { id: "t-1" })]),
    },
  });
  expect(code).toBe(0);
  expect(err).toMatch(/The sandbox's clock moved from 01 Nov.*09:00:00 to 01 Nov.*09:00:10\./);
});

test("a flow that is refused on its way says so, and still tidies up after itself", async () => {
  const { code, err, asked } = await jara("trigger webhook.test", {
    replies: {
      ...calm,
      "GET /events/feed": feed(),
      "GET /webhooks/endpoints": () =>
        Response.json({ status: true, data: [], pagination: { currentPage: 1, hasNextPage: false } }),
      "POST /webhooks/endpoints": () => ({ id: "e-new" }),
      "POST /webhooks/endpoints/e-new/test": () => refusal(409, "endpoint_disabled", "It is switched off."),
      "DELETE /webhooks/endpoints/e-new": () => ({}),
    },
  });
  expect(code).toBe(5);
  expect(err).toContain("It is switched off.");
  expect(asked.at(-1)).toMatchObject({ method: "DELETE", path: "/webhooks/endpoints/e-new" });
});

test.each(["wallet.opened", "wallet.refused"])(
  "%s happens in live environments only, and why is said",
  async (name) => {
    const { code, err, asked } = await jara(`trigger ${name}`);
    expect(code).toBe(2);
    expect(err).toContain(`${name} happens in live environments only: a sandbox gives`);
    expect(asked).toEqual([]);
  },
);
