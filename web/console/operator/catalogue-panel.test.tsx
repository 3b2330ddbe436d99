/** The catalogue of bills as an operator reads it. */
import { expect, test } from "vitest";
import { press, shown } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { drawInConsole, operatorPath } from "../testing/in-console.tsx";
import { fact } from "../testing/lists.ts";
import { CataloguePanel } from "./catalogue-panel.tsx";

const catalogue = {
  version: 12,
  source: "VTpass",
  sourceDate: "2026-11-16T23:30:00.000Z",
  networks: [{ code: "MTN", name: "MTN", minAmount: 50, maxAmount: 50_000 }],
  dataPlans: [
    { planCode: "mtn-1gb", name: "1 GB", amount: 499.99 },
    { planCode: "mtn-2gb", name: "<b>2 GB</b>", amount: 900 },
  ],
  electricityProviders: [{ code: "ikeja", name: "Ikeja Electric", minAmount: 500, maxAmount: 1_000_000 }],
  tvProviders: [{ code: "dstv", name: "DStv" }],
  tvPackages: [],
  bettingProviders: [],
};

const open = async (reply: () => unknown = () => catalogue) => {
  const asked = replyWith({ [`GET ${operatorPath}/bills/catalogues`]: reply });
  await drawInConsole(<CataloguePanel />, { house: "operator" });
  return asked;
};
const group = (title: string) =>
  [...document.querySelectorAll("details")].find((each) =>
    each.querySelector("summary")?.textContent?.startsWith(title),
  );

test("it says which version it is, where from, and of which day in Lagos", async () => {
  await open();
  expect([fact("Version"), fact("From"), fact("As of")]).toEqual([
    "12",
    "VTpass",
    expect.stringContaining("17 Nov 2026"),
  ]);
});

test.each([
  ["Airtime", "Airtime 1"],
  ["Data plans", "Data plans 2"],
  ["Electricity", "Electricity 1"],
  ["TV packages", "TV packages 0"],
  ["Betting", "Betting 0"],
])("the group %s says how many it holds, and is closed at first", async (title, words) => {
  await open();
  expect(group(title)?.querySelector("summary")?.textContent).toBe(words);
  expect(group(title)?.open).toBe(false);
});

test("a plan has its price to the kobo, and its code for who orders it", async () => {
  await open();
  const lines = [...(group("Data plans")?.querySelectorAll("li") ?? [])].map(({ textContent }) => textContent);
  expect(lines).toEqual(["1 GB mtn-1gb₦499.99", "<b>2 GB</b> mtn-2gb₦900.00"]);
});

test("what has no price has its bounds", async () => {
  await open();
  expect(group("Electricity")?.querySelector("li")?.textContent).toBe("Ikeja Electric ikeja₦500.00 to ₦1,000,000.00");
});

test("a provider of TV has neither: its packages have prices", async () => {
  await open();
  expect(group("TV")?.querySelector("li")?.textContent).toBe("DStv dstv");
});

test("a catalogue that cannot be read says why, and reads again when asked", async () => {
  let isAway = true;
  const asked = await open(() => (isAway ? refuse(503, "unavailable", { message: "Away for now." }) : catalogue));
  expect(shown()).toContain("Away for now.");
  isAway = false;
  await press("Try again");
  await expect.poll(() => fact("Version")).toBe("12");
  expect(asked).toHaveLength(2);
});
