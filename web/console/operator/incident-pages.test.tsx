/** What everybody reads at /status, as operators write it. */
import { afterEach, expect, test, vi } from "vitest";
import { button, describedBy, field, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { type Asked, refuse, replyWith } from "../../testing/replies.ts";
import { drawInConsole, operatorPath } from "../testing/in-console.tsx";
import { cells, fact, pages, queryOf, screenIs } from "../testing/lists.ts";
import { IncidentPage, IncidentsPage } from "./incident-pages.tsx";

afterEach(() => vi.restoreAllMocks());

const incident = {
  id: "i-1",
  source: "operator",
  title: "Payouts to one bank are slow",
  condition: "slow",
  parts: ["bank", "transfers", "api"],
  state: "identified",
  startedAt: "2026-11-16T18:00:00.000Z",
  endedAt: null as string | null,
  withdrawnAt: null as string | null,
  updates: [
    {
      state: "identified",
      message: "The bank knows.\n<b>Soon</b>",
      writtenBy: "ada@example.com",
      writtenAt: "2026-11-16T18:05:00.000Z",
    },
  ],
};

async function open(more: Partial<typeof incident> = {}, reply: (asked: Asked) => unknown = () => ({})) {
  const asked = replyWith({
    [`GET ${operatorPath}/incidents/i-1`]: () => ({ ...incident, ...more }),
    [`POST ${operatorPath}/incidents/i-1`]: reply,
  });
  await drawInConsole(<IncidentPage />, { house: "operator", address: "/here/i-1" });
  return () => asked.filter(({ method }) => method === "POST");
}
const submit = () => settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());
const stateOptions = () => [...(field("State") as HTMLSelectElement).options].map(({ value }) => value);

test("an incident names all that it touches, in the words of the public page", async () => {
  await open();
  expect(fact("Affected")).toBe("Payouts to banks, Sending payouts, API");
  expect([fact("How bad"), fact("Seen by"), fact("Began"), fact("Ended")]).toEqual([
    "Slow",
    "An operator",
    "16 Nov 2026 19:00:00",
    "–",
  ]);
});

test("what was said keeps its lines, and is text", async () => {
  await open();
  const said = document.querySelector("ol li p:last-child");
  expect(said?.textContent).toBe("The bank knows.\n<b>Soon</b>");
  expect(document.querySelector("ol b")).toBeNull();
});

test("before anybody has said anything the page says what merchants see", async () => {
  await open({ updates: [] });
  expect(shown()).toContain("Merchants see the title and the times.");
});

test("news are published with their state, and warned about first", async () => {
  const sent = await open();
  await press("Post update");
  expect(field("State").value).toBe("identified");
  expect(describedBy(field("Words"))).toContain("no secrets, no numbers of people, no merchant's name");
  await type("State", "resolved");
  await type("Words", " All is well. ");
  await press("Publish");
  await expect.poll(sent).toHaveLength(1);
  expect(sent()[0]).toMatchObject({
    path: `${operatorPath}/incidents/i-1/updates`,
    body: { state: "resolved", message: "All is well." },
  });
});

test("an operator's incident can be resolved by hand; what the system saw ends by itself", async () => {
  await open();
  await press("Post update");
  expect(stateOptions()).toEqual(["investigating", "identified", "watching", "resolved"]);
});

test("of the system's incident nobody says that it is over", async () => {
  await open({ source: "system" });
  expect(fact("Seen by")).toBe("The system");
  await press("Post update");
  expect(shown()).toContain("Jara ends this incident automatically.");
  expect(stateOptions()).toEqual(["investigating", "identified", "watching"]);
});

test("a resolved one takes no news, and can still be withdrawn", async () => {
  const sent = await open({ state: "resolved", endedAt: "2026-11-16T19:30:00.000Z" });
  expect(hasButton("Post update")).toBe(false);
  await press("Withdraw");
  await submit();
  await expect.poll(sent).toHaveLength(1);
  expect(sent()[0]?.path).toBe(`${operatorPath}/incidents/i-1/withdraw`);
});

test("a withdrawn one says so, and is not withdrawn twice", async () => {
  await open({ withdrawnAt: "2026-11-16T20:00:00.000Z" });
  expect(hasButton("Withdraw")).toBe(false);
  expect(fact("Withdrawn")).toBe("16 Nov 2026 21:00:00");
});

async function openList(rows: readonly object[], reply: (asked: Asked) => unknown = () => ({})) {
  screenIs("wide");
  const asked = replyWith({
    [`GET ${operatorPath}/incidents`]: pages(rows),
    [`POST ${operatorPath}/incidents`]: reply,
  });
  const place = await drawInConsole(<IncidentsPage />, { house: "operator" });
  return { asked, place, sent: () => asked.filter(({ method }) => method === "POST") };
}

test("the list tells how long each lasted, and shortens what it touched", async () => {
  await openList([
    incident,
    { ...incident, id: "i-2", state: "resolved", endedAt: "2026-11-16T19:30:05.000Z", parts: ["books"] },
    { ...incident, id: "i-3", withdrawnAt: "2026-11-16T19:30:05.000Z", parts: [] },
  ]);
  expect(cells().map((row) => row.slice(1))).toEqual([
    ["Identified", "16 Nov 2026 19:00:00", "still open", "Payouts to banks and 2 more"],
    ["Resolved", "16 Nov 2026 19:00:00", "1 h 30 min", "Bookkeeping"],
    ["Withdrawn", "16 Nov 2026 19:00:00", "still open", "–"],
  ]);
});

test("open ones alone are asked for by a filter", async () => {
  const { asked, place } = await openList([incident]);
  await press("Filter");
  await type("State", "open");
  await expect.poll(place).toBe("/here?state=open");
  await expect.poll(() => queryOf(asked.at(-1) ?? { path: "" })).toMatchObject({ state: "open" });
});

test("a new incident goes out with exactly the parts that were ticked", async () => {
  const { sent } = await openList([]);
  await press("Report incident");
  expect(shown()).toContain("It stands on the public status page at once.");
  await type("Title", " Cards are down ");
  await type("Public update", "We ask the processor.");
  await type("Severity", "not_working");
  for (const name of ["part-card", "part-console"])
    await settle(() => document.querySelector<HTMLInputElement>(`[name="${name}"]`)?.click());
  await press("Publish");
  await expect.poll(sent).toHaveLength(1);
  expect(sent()[0]?.body).toEqual({
    title: "Cards are down",
    message: "We ask the processor.",
    condition: "not_working",
    parts: ["card", "console"],
  });
});

test("one that touches nothing is refused by the server, in its words", async () => {
  const errors = [{ field: "parts", message: "must name at least one" }];
  await openList([], () => refuse(422, "validation_failed", { message: "Check what you sent.", errors }));
  await press("Report incident");
  await type("Title", "Something");
  await type("Public update", "Nothing");
  await press("Publish");
  await expect.poll(shown).toContain("Parts: must name at least one");
  expect(field("Title").value).toBe("Something");
  expect(button("Publish")).toHaveProperty("disabled", false);
});
