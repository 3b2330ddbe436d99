/** A connection to a provider, and what an operator can do about it. */
import { expect, test } from "vitest";
import { button, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { type Asked, refuse, replyWith } from "../../testing/replies.ts";
import { drawInConsole, operatorPath } from "../testing/in-console.tsx";
import { cells, fact, pages, screenIs } from "../testing/lists.ts";
import { ConnectionPage } from "./connection-page.tsx";
import { ConnectionsPage } from "./watch-pages.tsx";

const connection = {
  id: "c-1",
  provider: "paystack",
  name: "Paystack main",
  mode: "live",
  ports: ["bank", "card"],
  state: "active",
  hold: null as object | null,
  float: { available: 1_250_000.75, readAt: "2026-11-16T18:45:31.284Z" } as object | null,
  health: { state: "ok", calls: 40, unanswered: 2 },
  checkedAt: "2026-11-16T18:00:00.000Z",
  checks: [
    { name: "credentials", ok: true, message: null },
    { name: "webhook_address", ok: false, message: "They send nothing to us." },
  ],
};

async function open(more: Partial<typeof connection> = {}, replies: Record<string, (asked: Asked) => unknown> = {}) {
  const asked = replyWith({
    [`GET ${operatorPath}/connections/c-1`]: () => ({ ...connection, ...more }),
    [`PATCH ${operatorPath}/connections/c-1`]: () => ({}),
    ...replies,
  });
  await drawInConsole(<ConnectionPage />, { house: "operator", address: "/here/c-1" });
  return { asked, writes: () => asked.filter(({ method }) => method !== "GET") };
}
const submit = () => settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());

test("a connection tells what it serves, what is left there, and how it answers", async () => {
  await open();
  expect(["Provider", "Serves", "Float", "Float read", "Health"].map(fact)).toEqual([
    "Paystack · live",
    "bank, card",
    "₦1,250,000.75",
    "16 Nov 2026 19:45:31",
    "2 of the last 40 calls unanswered",
  ]);
});

test("each check says whether it passed, and why not", async () => {
  await open();
  const rows = [...document.querySelectorAll("li")].map((row) => row.textContent);
  expect(rows).toEqual(["Credentials Passed", "Webhook address They send nothing to us.Failed"]);
});

test("a float that nobody has read is no zero", async () => {
  await open({ float: null });
  expect([fact("Float"), fact("Float read")]).toEqual(["–", "–"]);
});

test("one that is held says why, since when, and what to do", async () => {
  await open({
    hold: { message: "The float is low", advice: "Send them money.", since: "2026-11-16T23:15:00.000Z" },
  });
  expect(document.querySelector("[role=note]")?.textContent).toBe(
    "The float is low. Send them money. Since 17 Nov 2026 00:15:00.",
  );
  expect(shown()).toContain("Held");
});

test.each([
  ["active", ["Pause"], "paused"],
  ["paused", ["Resume"], "active"],
  ["retired", [], undefined],
] as const)("one that is %s offers %j", async (state, offered, next) => {
  const { writes } = await open({ state });
  expect(["Pause", "Resume"].filter(hasButton)).toEqual(offered);
  const [name] = offered;
  if (name === undefined) return;
  await press(name);
  await submit();
  await expect.poll(writes).toHaveLength(1);
  expect(writes()[0]).toMatchObject({ method: "PATCH", body: { state: next } });
});

test("a check is asked of the provider now", async () => {
  const { writes } = await open({}, { [`POST ${operatorPath}/connections/c-1/check`]: () => ({}) });
  await press("Check");
  await submit();
  await expect.poll(writes).toHaveLength(1);
  expect(writes()[0]?.path).toBe(`${operatorPath}/connections/c-1/check`);
});

test("a day is compared on demand, and leads to its comparison", async () => {
  const { writes } = await open({}, { [`POST ${operatorPath}/reconciliations`]: () => ({ id: "r-7" }) });
  await press("Compare a day");
  await type("Day", "2026-11-15");
  await submit();
  await expect.poll(() => hasButton("See how it goes")).toBe(true);
  expect(writes()[0]?.body).toEqual({ connectionId: "c-1", date: "2026-11-15" });
  expect(button("See how it goes").getAttribute("href")).toBe("/operator/reconciliation/r-7");
});

test("a day that cannot be compared says why, in the window", async () => {
  await open(
    {},
    {
      [`POST ${operatorPath}/reconciliations`]: () => refuse(422, "day_not_over", { message: "The day is not over." }),
    },
  );
  await press("Compare a day");
  await type("Day", "2026-11-17");
  await submit();
  await expect.poll(shown).toContain("The day is not over.");
});

test("the list of connections shows which of them take orders", async () => {
  screenIs("wide");
  const held = { ...connection, id: "c-2", name: "Monnify", provider: "monnify", float: null };
  replyWith({
    [`GET ${operatorPath}/connections`]: pages([
      connection,
      {
        ...held,
        hold: { message: "", advice: "Send them money." },
        health: { ...connection.health, state: "failing" },
      },
    ]),
  });
  await drawInConsole(<ConnectionsPage />, { house: "operator" });
  expect(cells()).toEqual([
    ["Paystack main", "Paystack · live", "Active", "Healthy", "₦1,250,000.75", "bank, card", ""],
    ["Monnify", "Monnify · live", "Held", "Degraded", "–", "bank, card", "Send them money."],
  ]);
});
