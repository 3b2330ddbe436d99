/** Where is my money, and why: the time line as it is drawn. */
import type { TraceStep } from "@jara/sdk";
import { afterEach, expect, test, vi } from "vitest";
import { button, hasButton, press, settle, shown } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole, operatorPath } from "../testing/in-console.tsx";
import { TracePage } from "./trace-page.tsx";
import { TracePanel } from "./trace-panel.tsx";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const step = (more: Partial<TraceStep> = {}): TraceStep => ({
  at: "2026-11-16T23:30:00.000Z",
  kind: "request",
  title: "A payout was ordered",
  detail: {},
  ids: {},
  ok: true,
  ...more,
});

async function open(steps: readonly TraceStep[], house: "merchant" | "operator" = "merchant", isWhole = true) {
  const prefix = house === "operator" ? operatorPath : door;
  replyWith({ [`GET ${prefix}/traces/t-1`]: () => ({ id: "t-1", kind: "transfer", steps }) });
  await drawInConsole(<TracePanel id="t-1" isWhole={isWhole} />, { house });
}
const items = () => [...document.querySelectorAll("ol > li")].map((item) => item.textContent);

test("steps stand in order, each with the time since the one before", async () => {
  await open([
    step(),
    step({ at: "2026-11-16T23:30:00.038Z", kind: "posting", title: "Held" }),
    step({ at: "2026-11-16T23:34:05.038Z", kind: "rail", title: "Asked the bank" }),
  ]);
  expect(items()).toEqual([
    "A payout was ordered17 Nov 2026 00:30:00Request",
    "Held+38 ms17 Nov 2026 00:30:00Posting",
    "Asked the bank+4 min 5 s17 Nov 2026 00:34:05Rail",
  ]);
});

test("what went wrong is said in words, not by a colour alone", async () => {
  await open([step({ ok: false, title: "The bank refused" })]);
  expect(items()[0]).toContain("The bank refusednot ok");
});

test("details are told by name, amounts as money, and what strangers wrote as text", async () => {
  await open([
    step({ detail: { totalDebit: 2_577.38, narration: "<b>rent</b>", empty: null, bank: { code: "058" } } }),
  ]);
  const facts = [...document.querySelectorAll("dl > div")].map((one) => one.textContent);
  expect(facts).toEqual(["Total debit₦2,577.38", "Narration<b>rent</b>", "Bank code058"]);
  expect(document.querySelector("dd b")).toBeNull();
});

test("the legs of a posting stand from where the money came to where it went", async () => {
  await open([
    step({
      kind: "posting",
      detail: {
        legs: [
          { account: "wallet_held", amount: 2_577.38 },
          { account: "wallet", amount: -2_577.38 },
        ],
      },
    }),
  ]);
  const legs = [...document.querySelectorAll("[aria-label='Legs of the posting'] li")].map((leg) => leg.textContent);
  expect(legs).toEqual(["Wallet-₦2,577.38", "Wallet held₦2,577.38"]);
});

test("other records lead to their pages; the record itself does not lead to itself", async () => {
  await open([step({ ids: { event: "e-1", transfer: "t-1", unheard_of: "x-1" } })]);
  expect(button("Event").getAttribute("href")).toBe("/env-1/events/e-1");
  expect([hasButton("Transfer"), hasButton("Unheard of")]).toEqual([false, false]);
});

test("operators have no pages of a merchant's records", async () => {
  await open([step({ ids: { event: "e-1" } })], "operator");
  expect(hasButton("Event")).toBe(false);
});

test("a kind of step that this page has never heard of is drawn all the same", async () => {
  await open([step({ kind: "divination" as never, title: "Somebody threw cowries" })]);
  expect(items()[0]).toContain("Somebody threw cowries");
  expect(items()[0]).toContain("Divination");
});

test("an id of nothing says so, and can be asked about again", async () => {
  let known = false;
  replyWith({
    [`GET ${door}/traces/t-9`]: () =>
      known ? { id: "t-9", steps: [step()] } : refuse(404, "trace_not_found", { message: "Nothing has this id." }),
  });
  await drawInConsole(<TracePage />, { address: "/here/t-9" });
  expect(document.querySelector("h1")?.textContent).toBe("Trace");
  expect(shown()).toContain("Nothing has this id.");
  known = true;
  await press("Try again");
  await expect.poll(shown).toContain("A payout was ordered");
});

test("while a record moves its trace is read again, and no longer", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const asked = replyWith({ [`GET ${door}/traces/t-1`]: () => ({ id: "t-1", kind: "transfer", steps: [step()] }) });
  await drawInConsole(<TracePanel id="t-1" againMs={2_000} />);
  await settle(() => vi.advanceTimersByTime(4_000));
  await expect.poll(() => asked.length).toBeGreaterThanOrEqual(2);
});

test("a record's page shows the four steps that tell most; the others and the details unfold", async () => {
  const steps = [
    step({ title: "Ordered" }),
    step({ kind: "check", title: "Name checked" }),
    step({ kind: "posting", title: "Held", detail: { legs: [{ account: "wallet", amount: -5 }] } }),
    step({ kind: "state", title: "Sent" }),
    step({ kind: "rail", title: "Asked the bank" }),
    step({ kind: "state", title: "Completed", detail: { posting: "transfer.settled" } }),
    step({ kind: "delivery", title: "Delivered" }),
  ];
  await open(steps, "merchant", false);
  const titles = () => [...document.querySelectorAll("ol > li p:first-child")].map((title) => title.textContent);
  expect(titles()).toEqual(["Ordered", "Sent", "Completed", "Delivered"]);
  expect(document.querySelector("dl")).toBeNull();
  await press("Show all 7 steps");
  expect(titles()).toHaveLength(7);
  expect(shown()).toContain("transfer.settled");
  expect(document.querySelector("[aria-label='Legs of the posting']")).not.toBeNull();
  await press("Show fewer");
  expect(titles()).toHaveLength(4);
});

test("what went wrong is never folded, and says why", async () => {
  const steps = [
    step({ kind: "check", title: "Refused", ok: false, detail: { reason: "The account is closed." } }),
    ...["One", "Two", "Three", "Four", "Five"].map((title) => step({ kind: "state", title })),
  ];
  await open(steps, "merchant", false);
  expect(items()[0]).toContain("Refusednot ok");
  expect(items()[0]).toContain("The account is closed.");
  expect(items()).toHaveLength(4);
});

test("a short trace unfolds its details", async () => {
  await open([step({ detail: { narration: "Rent" } })], "merchant", false);
  expect(shown()).not.toContain("Rent");
  await press("Show details");
  expect(shown()).toContain("Rent");
});
