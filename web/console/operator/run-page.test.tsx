/** One comparison of a day with a provider, in each of its states. */
import { afterEach, expect, test, vi } from "vitest";
import { button, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { replyWith } from "../../testing/replies.ts";
import { drawInConsole, operatorPath } from "../testing/in-console.tsx";
import { cells, fact, pages, screenIs } from "../testing/lists.ts";
import { RunPage } from "./run-page.tsx";
import { ReconciliationPage } from "./watch-pages.tsx";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const exception = {
  id: "x-1",
  kind: "amount_differs",
  ours: { type: "transfer", id: "t-1", amount: 2_500, status: "completed", orderId: "ord-1" } as object | null,
  theirs: { amount: 2_500.5, status: "paid", providerReference: "TRF_9" } as object | null,
  ageDays: 0,
  closedAt: null as string | null,
  resolvedBy: null as string | null,
  reason: null as string | null,
};
const run = {
  id: "r-1",
  date: "2026-11-15",
  version: 2,
  state: "exceptions",
  requestedBy: "ada@example.com",
  counts: { orders: 10, records: 11, agreed: 9 } as object | null,
  failure: null as object | null,
  completedAt: "2026-11-16T02:00:00.000Z" as string | null,
  exceptions: [exception] as readonly object[],
};

async function open(more: Partial<typeof run> = {}) {
  const server = { run: { ...run, ...more } };
  const asked = replyWith({
    [`GET ${operatorPath}/reconciliations/r-1`]: () => server.run,
    [`POST ${operatorPath}/reconciliations/exceptions`]: () => ({}),
  });
  await drawInConsole(<RunPage />, { house: "operator", address: "/here/r-1" });
  return { server, asked };
}
const rows = () => [...document.querySelectorAll("li")].map((row) => row.textContent ?? "");

test("what both books say of a payment stands beside each other", async () => {
  await open();
  const [row = ""] = rows();
  expect(row).toContain("Amount differs");
  expect(row).toContain("Ours: ₦2,500.00, completed");
  expect(row).toContain("Theirs: ₦2,500.50, paid");
  expect(row).toContain("under a day");
});

test("our payment leads to its page, whatever kind it is", async () => {
  await open({
    exceptions: [
      exception,
      { ...exception, id: "x-2", ours: { ...exception.ours, type: "bill", id: "b-1", orderId: "ord-2" } },
      { ...exception, id: "x-3", ours: { ...exception.ours, type: "charge", id: "ch-1", orderId: "ord-3" } },
    ],
  });
  expect(["ord-1", "ord-2", "ord-3"].map((name) => button(name).getAttribute("href"))).toEqual([
    "/operator/transfers/t-1",
    "/operator/bills/b-1",
    "/operator/trace/ch-1",
  ]);
});

test("what only the provider knows is told by its reference, and what only we know is not there", async () => {
  await open({
    exceptions: [
      { ...exception, kind: "unknown_to_us", ours: null },
      { ...exception, id: "x-2", kind: "unknown_to_them", theirs: null },
    ],
  });
  expect(rows()[0]).toContain("Ours: not there");
  expect(rows()[0]).toContain("TRF_9");
  expect(rows()[1]).toContain("Theirs: not there");
});

test.each([
  [1, "1 day"],
  [12, "12 days"],
])("an exception that is %i days old says %s", async (ageDays, text) => {
  await open({ exceptions: [{ ...exception, ageDays }] });
  expect(rows()[0]).toContain(text);
});

test("an open exception is resolved with a reason, and is said to move no money", async () => {
  const { asked } = await open();
  await press("Resolve");
  expect(shown()).toContain("It moves no money");
  await type("Reason", " a refund of theirs ");
  await settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());
  await expect.poll(() => asked.filter(({ method }) => method === "POST")).toHaveLength(1);
  expect(asked.find(({ method }) => method === "POST")).toMatchObject({
    path: `${operatorPath}/reconciliations/exceptions/x-1/resolve`,
    body: { reason: "a refund of theirs" },
  });
});

test("one that was resolved or has closed by itself has no button, and says who said what", async () => {
  await open({
    exceptions: [
      { ...exception, resolvedBy: "ada@example.com", reason: "<i>refund</i>", closedAt: "2026-11-16T02:00:00Z" },
      { ...exception, id: "x-2", closedAt: "2026-11-16T02:00:00Z" },
    ],
  });
  expect(hasButton("Resolve")).toBe(false);
  expect(rows()[0]).toContain("ada@example.com: <i>refund</i>");
  expect(rows()[0]).toContain("Resolved");
  expect(rows()[1]).toContain("Closed");
});

test.each([
  ["clean", "No differences found"],
  ["running", "Not known yet"],
  ["failed", "Not known"],
])("a day that is %s and has no exception says: %s", async (state, words) => {
  await open({ state, exceptions: [] });
  expect(document.querySelector("h2.text-base")?.textContent).toBe(words);
});

test("a comparison that failed says why", async () => {
  await open({ state: "failed", counts: null, failure: { message: "Their list was away." }, exceptions: [] });
  expect(fact("Why it failed")).toBe("Their list was away.");
  expect(fact("Orders of ours")).toBe("–");
});

test("a running one is looked at until it has ended", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { server, asked } = await open({ state: "running", counts: null, completedAt: null, exceptions: [] });
  server.run = run;
  await settle(() => vi.advanceTimersByTime(2_000));
  await expect.poll(shown).toContain("Amount differs");
  const before = asked.length;
  await settle(() => vi.advanceTimersByTime(60_000));
  expect(asked).toHaveLength(before);
});

test("the list tells each day's figures, and none where none is known", async () => {
  screenIs("wide");
  const counts = { orders: 10, agreed: 9, exceptions: 1 };
  const day = { ...run, connectionId: "c-1", counts };
  replyWith({
    [`GET ${operatorPath}/reconciliations`]: pages([day, { ...day, id: "r-2", state: "running", counts: null }]),
  });
  await drawInConsole(<ReconciliationPage />, { house: "operator" });
  expect(cells().map((row) => row.slice(0, 5))).toEqual([
    ["2026-11-15", "Exceptions", "10", "9", "1"],
    ["2026-11-15", "Running", "", "", ""],
  ]);
});
