/** The first thing that an operator sees must not be calm while nobody knows. */
import { afterEach, expect, test, vi } from "vitest";
import { button, press, settle, shown, type } from "../../testing/draw.tsx";
import { held, refuse, replyWith } from "../../testing/replies.ts";
import { drawInConsole, operatorPath } from "../testing/in-console.tsx";
import { cells, pages, screenIs } from "../testing/lists.ts";
import { AttentionPanel } from "./attention.tsx";
import { MerchantsPage } from "./merchants-page.tsx";

afterEach(() => vi.restoreAllMocks());

const calm = {
  [`GET ${operatorPath}/queues`]: () => [] as unknown,
  [`GET ${operatorPath}/processes`]: () => ({ processes: [{ role: "all", alive: true }], standbys: [] }) as unknown,
  [`GET ${operatorPath}/verifications`]: pages([{ id: "v-1", state: "clean" }]),
  [`GET ${operatorPath}/unknowns`]: pages([]),
  [`GET ${operatorPath}/connections`]: pages([]),
  [`GET ${operatorPath}/suspense`]: pages([]),
  [`GET ${operatorPath}/decisions`]: pages([]),
};
const look = async (replies: object = {}) => {
  const asked = replyWith({ ...calm, ...replies });
  await drawInConsole(<AttentionPanel />, { house: "operator" });
  return asked;
};

test("a quiet house says that nothing waits", async () => {
  await look();
  expect(shown()).toContain("No decisions waiting.");
});

test("only live decisions and open suspense are counted", async () => {
  const asked = await look();
  expect(asked.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      `${operatorPath}/decisions?environment=LIVE&page=1&limit=50`,
      `${operatorPath}/suspense?state=open&page=1&limit=50`,
    ]),
  );
});

test("each concern leads to the room where it is settled", async () => {
  await look({
    [`GET ${operatorPath}/processes`]: () => ({ processes: [{ role: "api", alive: true }], standbys: [] }),
    [`GET ${operatorPath}/connections`]: pages([{ name: "Paystack <main>", hold: { message: "low" } }]),
    [`GET ${operatorPath}/suspense`]: pages([{ id: "s-1" }, { id: "s-2" }]),
  });
  const links = [
    "No worker lives: nothing is sent",
    "Paystack <main> takes no orders",
    "2 payments came in for nobody",
  ];
  expect(links.map((name) => button(name).getAttribute("href"))).toEqual([
    "/operator/queues",
    "/operator/connections",
    "/operator/suspense",
  ]);
  expect(shown()).not.toContain("No decisions waiting.");
});

test("of one thing it speaks as of one", async () => {
  await look({
    [`GET ${operatorPath}/suspense`]: pages([{ id: "s-1" }]),
    [`GET ${operatorPath}/unknowns`]: pages([{ environment: "LIVE", clocks: [{ over: true }] }]),
  });
  expect(shown()).toContain("1 live payment is past one of the regulator's clocks");
  expect(shown()).toContain("1 payment came in for nobody");
});

test("while nothing is known yet it does not say that nothing waits", async () => {
  const { reply, give } = held();
  await look({ [`GET ${operatorPath}/queues`]: () => reply });
  expect(shown()).not.toContain("No decisions waiting.");
  expect(shown()).toContain("Loading");
  await settle(() => give([]));
  await expect.poll(shown).toContain("No decisions waiting.");
});

test.each(["queues", "processes", "verifications", "unknowns", "connections", "suspense", "decisions"])(
  "where the %s cannot be read it says so, and not that nothing waits",
  async (name) => {
    await look({ [`GET ${operatorPath}/${name}`]: () => refuse(503, "unavailable", { message: "It is away." }) });
    await expect.poll(shown).toContain("Not everything could be looked at");
    expect(shown()).toContain("It is away.");
    expect(shown()).not.toContain("No decisions waiting.");
  },
);

test("what could be read is still told beside what could not", async () => {
  let broken = true;
  await look({
    [`GET ${operatorPath}/queues`]: () => (broken ? refuse(503, "unavailable", { message: "It is away." }) : []),
    [`GET ${operatorPath}/suspense`]: pages([{ id: "s-1" }]),
  });
  expect(shown()).toContain("1 payment came in for nobody");
  broken = false;
  await press("Try again");
  await expect.poll(shown).not.toContain("It is away.");
});

const merchant = {
  id: "m-1",
  name: "Mama <b>Put</b>",
  email: "mama@example.com",
  createdAt: "2026-11-16T18:45:31.284Z",
  environments: [
    { id: "e-1", kind: "LIVE", name: "Live" },
    { id: "e-2", kind: "SANDBOX", name: "Play" },
  ],
};

test("a merchant's environments lead to their pages", async () => {
  screenIs("wide");
  replyWith({ ...calm, [`GET ${operatorPath}/merchants`]: pages([merchant]) });
  await drawInConsole(<MerchantsPage />, { house: "operator" });
  expect(cells()).toEqual([
    ["Mama <b>Put</b>", "mama@example.com", "LIVE · LiveSANDBOX · Play", "16 Nov 2026 19:45:31"],
  ]);
  expect(button("SANDBOX · Play").getAttribute("href")).toBe("/operator/environments/e-2");
});

test("a merchant is added once, by name and e-mail", async () => {
  const asked = replyWith({
    ...calm,
    [`GET ${operatorPath}/merchants`]: pages([]),
    [`POST ${operatorPath}/merchants`]: () => ({ id: "m-2" }),
  });
  await drawInConsole(<MerchantsPage />, { house: "operator" });
  await press("Add a merchant");
  await type("Name", " Iya Basira ");
  await type("E-mail", "iya@example.com");
  await settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());
  await expect.poll(() => asked.filter(({ method }) => method === "POST")).toHaveLength(1);
  expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ name: "Iya Basira", email: "iya@example.com" });
});
