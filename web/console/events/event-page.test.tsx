/** An event, and its way to the merchant's endpoints. */
import type { Delivery } from "@jara/sdk";
import { afterEach, expect, test, vi } from "vitest";
import { button, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { cells, pages, queryOf, screenIs } from "../testing/lists.ts";
import type { Event } from "./event.ts";
import { EventPage } from "./event-page.tsx";
import { EventsPage } from "./events-page.tsx";

afterEach(() => vi.restoreAllMocks());

const event: Event = {
  id: "e-1",
  event: "transfer.completed",
  created_at: "2026-11-16T23:30:00.000Z",
  resource_version: 3,
  data: { id: "t-1", amount: 2_500, bvn: "22123456789", narration: "<b>rent</b>" },
};
const attempt: Delivery["attempts"][number] = {
  at: "2026-11-16T23:30:01.000Z",
  sentAt: "2026-11-16T23:30:01.000Z",
  status: 200,
  durationMs: 38,
  response: "ok",
  error: null,
};
const delivery: Delivery = {
  endpointId: "w-1",
  url: "https://shop.example/hooks?a=1",
  status: "delivered",
  attemptCount: 1,
  nextAttemptAt: null,
  completedAt: "2026-11-16T23:30:01.000Z",
  attempts: [attempt],
};

async function open(deliveries: readonly Delivery[], more: Partial<Event> = {}, replies: object = {}) {
  const asked = replyWith({
    [`GET ${door}/events/e-1/deliveries`]: pages(deliveries),
    [`GET ${door}/events/e-1`]: () => ({ ...event, ...more }),
    ...replies,
  });
  await drawInConsole(<EventPage />, { address: "/here/e-1" });
  return asked;
}
const submit = () => settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());

test("the payload is shown without what identifies a person", async () => {
  const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await open([]);
  const payload = document.querySelector("pre")?.textContent ?? "";
  expect(payload).toContain('"bvn": "••••6789"');
  expect(payload).toContain("<b>rent</b>");
  expect(document.querySelector("pre b")).toBeNull();
  await press("Copy the payload");
  expect(written.mock.calls[0]?.[0]).not.toContain("22123456789");
});

test("an event about money leads to where the money is", async () => {
  await open([]);
  expect(button("Where its money is").getAttribute("href")).toBe("/env-1/trace/t-1");
});

test("an event about nothing in particular tells its version instead", async () => {
  await open([], { data: {} });
  expect(hasButton("Where its money is")).toBe(false);
  expect(shown()).toContain("version 3");
});

test("each try tells what the endpoint returned, and how long it took", async () => {
  const failed = {
    ...attempt,
    at: "2026-11-16T23:31:00.000Z",
    status: 500,
    durationMs: 2_100,
    response: "<h1>Oops</h1>",
  };
  const lost = { ...attempt, at: "2026-11-16T23:32:00.000Z", status: null, response: "", error: "timed out" };
  await open([
    {
      ...delivery,
      status: "pending",
      attempts: [attempt, failed, lost],
      nextAttemptAt: "2026-11-16T23:40:00.000Z",
    },
  ]);
  const tries = [...document.querySelectorAll("article li")].map((one) => one.textContent);
  expect(tries).toEqual([
    "DeliveredHTTP 20038 ms17 Nov 2026 00:30:01Response of your endpointok",
    "FailedHTTP 5002.1 s17 Nov 2026 00:31:00Response of your endpoint<h1>Oops</h1>",
    "FailedNo response38 ms17 Nov 2026 00:32:00timed out",
  ]);
  expect(shown()).toContain("1 attempt · Next attempt 17 Nov 2026 00:40:00");
});

test.each([
  [199, "Failed"],
  [204, "Delivered"],
  [301, "Failed"],
  [404, "Failed"],
])("a reply of %i counts as %s", async (status, words) => {
  await open([{ ...delivery, attempts: [{ ...attempt, status }] }]);
  expect(document.querySelector("article li")?.textContent).toContain(words);
});

test("earlier attempts are folded, and the delivery says its state", async () => {
  await open([{ ...delivery, attemptCount: 2, attempts: [attempt, { ...attempt, at: "2026-11-16T22:00:00.000Z" }] }]);
  expect(document.querySelector("article header")?.textContent).toContain("Delivered");
  expect(document.querySelectorAll("article > ol > li")).toHaveLength(1);
  expect(document.querySelector("summary")?.textContent).toBe("Show 1 earlier attempt");
});

test("a response in JSON is set out, without what identifies a person", async () => {
  await open([{ ...delivery, attempts: [{ ...attempt, response: '{"ok":true,"bvn":"22123456789"}' }] }]);
  const response = document.querySelector("article pre")?.textContent;
  expect(JSON.parse(response ?? "")).toEqual({ ok: true, bvn: "••••6789" });
});

test("an empty response says so", async () => {
  await open([{ ...delivery, attempts: [{ ...attempt, status: 204, response: "" }] }]);
  expect(document.querySelector("article li")?.textContent).toContain("Empty body");
});

test("a delivery can be copied as a line for a shell", async () => {
  const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await open([delivery]);
  await press("Copy as curl");
  expect(written.mock.calls[0]?.[0]).toContain("curl -X POST 'https://shop.example/hooks?a=1'");
});

test("an event that no endpoint wanted says so; one whose deliveries are away does not", async () => {
  await open([]);
  expect(shown()).toContain("No endpoint wanted this event.");
});

test("deliveries that cannot be read say why", async () => {
  await open([], {}, { [`GET ${door}/events/e-1/deliveries`]: () => refuse(503, "unavailable", { message: "Away." }) });
  expect(shown()).toContain("Away.");
  expect(shown()).not.toContain("No endpoint wanted this event.");
});

test("the event is sent again once it is confirmed", async () => {
  const asked = await open([delivery], {}, { [`POST ${door}/events/e-1/redeliver`]: () => ({}) });
  await press("Send again");
  expect(asked.some(({ method }) => method === "POST")).toBe(false);
  await submit();
  await expect.poll(() => asked.filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("an event in the archive says where it is; any other refusal is told as it is", async () => {
  const archived = () => refuse(410, "event_archived", { data: { archivedUntil: "2026-03-31T22:00:00.000Z" } });
  await open([], {}, { [`GET ${door}/events/e-1`]: archived });
  expect(shown()).toContain("jara archive read --environment env-1 --id e-1");
  expect(document.querySelector("[role=alert]")).toBeNull();
});

async function openList(rows: readonly Event[], replies: object = {}) {
  screenIs("wide");
  const asked = replyWith({ [`GET ${door}/events?`]: pages(rows), ...replies });
  const place = await drawInConsole(<EventsPage />);
  return { asked, place };
}

test("events stand in a list with the record that each is about", async () => {
  await openList([event, { ...event, id: "e-2", event: "webhook.test", data: {} }]);
  expect(cells()).toEqual([
    ["transfer.completed", "t-1", "17 Nov 2026 00:30:00", "e-1"],
    ["webhook.test", "–", "17 Nov 2026 00:30:00", "e-2"],
  ]);
});

test("what endpoints did not take is found by a filter", async () => {
  const { asked, place } = await openList([event]);
  await press("Filter");
  await type("Delivery", "failed");
  await expect.poll(place).toBe("/here?status=failed");
  await expect.poll(() => queryOf(asked.at(-1) ?? { path: "" })).toMatchObject({ status: "failed" });
});

test("the events of a time are sent again; its ends are meant in Lagos", async () => {
  const { asked } = await openList([event], {
    [`POST ${door}/events/redeliver`]: () => ({ events: 1, deliveries: 2 }),
  });
  await press("Send again");
  await type("From", "2026-11-16T08:00");
  await type("To", "2026-11-16T09:30");
  await submit();
  await expect.poll(shown).toContain("On their way: 2 deliveries of 1 event.");
  expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
    from: "2026-11-16T08:00:00+01:00",
    to: "2026-11-16T09:30:00+01:00",
  });
});
