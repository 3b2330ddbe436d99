/** Playing the world: money, time, banks, messages. */
import { afterEach, expect, test, vi } from "vitest";
import { press, settle, shown, type } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { cells, pages, screenIs } from "../testing/lists.ts";
import { SandboxPage } from "./sandbox-page.tsx";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const bank = { bankCode: "058", bankName: "GTBank", status: "up", successRate: 1, sampleSize: 3 };
const message = {
  id: "m-1",
  to: "+2348031234567",
  text: "Your code is <b>123456</b>",
  status: "delivered",
  createdAt: "2026-11-16T23:30:00.000Z",
};

async function open(replies: object = {}, clock: object = {}) {
  const asked = replyWith({
    [`GET ${door}/wallets/balance`]: () => ({ available: 1_000_000.5 }),
    [`GET ${door}/sandbox/clock`]: () => ({
      now: "2026-11-16T23:30:00.000Z",
      mode: "running",
      nextDueAt: null,
      ...clock,
    }),
    [`GET ${door}/transfers/bank/health`]: () => [
      bank,
      { ...bank, bankCode: "044", bankName: "Access", status: "down" },
    ],
    [`GET ${door}/sandbox/messages`]: pages([message]),
    [`POST ${door}/sandbox`]: () => ({ ran: 1 }),
    [`PUT ${door}/sandbox`]: () => ({}),
    ...replies,
  });
  await drawInConsole(<SandboxPage />);
  return () =>
    asked
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => [method, path.slice(door.length), body]);
}
const submit = () => settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());
const choose = (label: string, value: string) =>
  settle(() => {
    const select = document.querySelector<HTMLSelectElement>(`select[aria-label="${label}"]`);
    if (select === null) throw new Error(`nothing is called ${label}`);
    select.value = value;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  });

test.each([
  ["₦2,500", 2_500],
  ["2500.5", 2_500.5],
  ["0", 0],
  ["-1", null],
  ["2,5", null],
])("funding with %s sends %s", async (typed, amount) => {
  const sent = await open();
  await press("Fund the wallet");
  await type("Amount in naira", typed);
  await submit();
  await expect.poll(sent).toEqual([["POST", "/sandbox/wallets/fund", { amount }]]);
});

test("time is told in Lagos, with what is due next", async () => {
  await open({}, { nextDueAt: "2026-12-01T00:00:00.000Z" });
  expect(shown()).toContain("17 Nov 2026 00:30:00");
  expect(shown()).toContain("Next, something is due 1 Dec 2026 01:00:00");
});

test("with nothing ahead it says that nothing waits", async () => {
  await open();
  expect(shown()).toContain("Nothing is scheduled.");
});

test.each([
  ["next", { until: "next_due" }],
  ["1", { days: 1 }],
  ["31", { days: 31 }],
])("time moves by %s", async (by, body) => {
  const sent = await open();
  await press("Advance clock");
  await type("By", by);
  await submit();
  await expect.poll(shown).toContain("Done: 1 thing ran.");
  expect(sent()).toEqual([["POST", "/sandbox/clock/advance", body]]);
});

test.each([
  ["running", "Freeze clock", "frozen"],
  ["frozen", "Resume clock", "running"],
])("a clock that is %s offers to %s", async (mode, name, next) => {
  const sent = await open({}, { mode });
  await press(name);
  await submit();
  await expect.poll(sent).toEqual([["PUT", "/sandbox/clock", { mode: next }]]);
});

test("banks that are not well stand first, and are found by name or code", async () => {
  await open();
  const names = () => [...document.querySelectorAll("li select")].map((select) => select.getAttribute("aria-label"));
  expect(names()).toEqual(["How Access is", "How GTBank is"]);
  await type("Find a bank", "gt");
  expect(names()).toEqual(["How GTBank is"]);
  await type("Find a bank", "044");
  expect(names()).toEqual(["How Access is"]);
});

test("a bank is made ill by a choice", async () => {
  const sent = await open();
  await choose("How GTBank is", "degraded");
  await expect.poll(sent).toEqual([["PUT", "/sandbox/banks/058/health", { status: "degraded" }]]);
});

test("a bank that could not be changed says so in its row", async () => {
  const refused = () => refuse(409, "clock_moving", { message: "Time is being moved." });
  await open({ [`PUT ${door}/sandbox/banks/058/health`]: refused });
  await choose("How GTBank is", "down");
  await expect.poll(shown).toContain("Time is being moved.");
  const row = [...document.querySelectorAll("li")].find((one) => one.textContent?.includes("GTBank"));
  expect(row?.querySelector("[role=alert]")).not.toBeNull();
});

test("the sandbox is emptied only after a warning", async () => {
  const sent = await open();
  await press("Reset sandbox");
  expect(shown()).toContain("This cannot be undone.");
  expect(sent()).toEqual([]);
  await submit();
  await expect.poll(sent).toEqual([["POST", "/sandbox/reset", {}]]);
});

test("messages to customers are kept to be read, as text", async () => {
  screenIs("wide");
  await open();
  expect(cells()).toEqual([["+2348031234567", "Your code is <b>123456</b>", "Delivered", "17 Nov 2026 00:30:00"]]);
});
