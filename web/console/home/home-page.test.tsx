/** The first look of the day. */
import { afterEach, expect, test, vi } from "vitest";
import { button, hasButton, press, settle, shown } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { pages } from "../testing/lists.ts";
import { HomePage } from "./home-page.tsx";
import { successText } from "./success-text.ts";

vi.mock("../charts/chart-canvas.tsx", () => ({ ChartCanvas: () => null }));

afterEach(() => vi.restoreAllMocks());

const overview = {
  from: "2026-10-18T23:00:00.000Z",
  to: "2026-11-17T08:00:00.000Z",
  by: "day",
  wallet: {
    available: 1_000,
    held: 250,
    moneyIn: 500,
    moneyOut: 99.99,
    steps: [
      { at: "2026-11-15T23:00:00.000Z", moneyIn: 500, moneyOut: 0 },
      { at: "2026-11-16T23:00:00.000Z", moneyIn: 0, moneyOut: 99.99 },
    ],
  },
  payouts: {
    count: 1_240,
    amount: 6_000.5,
    successRate: 0.58,
    byStatus: [
      { status: "pending", count: 2, amount: 30.1 },
      { status: "processing", count: 3, amount: 0.2 },
      { status: "completed", count: 1_235, amount: 5_970.2 },
    ],
    byBank: [
      { bankCode: "058", bankName: "GT<b>Bank", count: 1_234, amount: 5_000.5, successRate: 0.58, medianSeconds: 2.1 },
      { bankCode: "044", bankName: "Access", count: 0, amount: 0, successRate: null, medianSeconds: null },
    ],
  },
  attention: [] as unknown[],
};
const calm = {
  [`GET ${door}/approvals`]: pages([]),
  [`GET ${door}/transfers/bank/health`]: () => [] as unknown,
  [`GET ${door}/loans`]: pages([]),
  [`GET ${door}/events`]: pages([]),
  [`GET ${door}/overview`]: () => overview as unknown,
};

async function open(replies: object = {}, kind: "LIVE" | "SANDBOX" = "SANDBOX") {
  const asked = replyWith({ ...calm, ...replies });
  await drawInConsole(<HomePage />, { kind });
  return asked;
}
const table = (name: string) => {
  const rows = document.querySelectorAll(`section[aria-label="${name}"] tbody tr`);
  return [...rows].map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent?.trim()));
};

test.each([
  ["LIVE", "Mama Put, live"],
  ["SANDBOX", "Mama Put, sandbox"],
] as const)("in %s the page says where one is: %s", async (kind, words) => {
  await open({}, kind);
  expect(shown()).toContain(words);
});

const figure = (name: string) => document.querySelector(`section[aria-label="${name}"]`)?.textContent;

test("four figures answer the first questions", async () => {
  await open();
  await expect.poll(() => figure("Available balance")).toContain("₦1,000.00₦250.00 on hold");
  expect(figure("Money out today")).toContain("₦99.99₦0.00 yesterday");
  expect(figure("Pending payouts")).toContain("5₦30.30");
  expect(figure("Payout success, 30 days")).toContain("58%58% in the 30 days before");
});

test("what is fine takes one line", async () => {
  await open();
  await expect.poll(shown).toContain("No approvals waiting · No overdue loans · No failed deliveries");
});

test("a list with rows says how many, names three, and leads to all of them", async () => {
  const rows = Array.from({ length: 1_207 }, (_, at) => ({ id: `e-${at}`, event: `thing.${at}` }));
  await open({ [`GET ${door}/events`]: pages(rows) });
  await expect.poll(shown).toContain("1,207 events could not be delivered.");
  expect(document.querySelectorAll("[data-row]")).toHaveLength(3);
  expect(button("thing.0").getAttribute("href")).toBe("/env-1/events/e-0");
  expect(button("Open").getAttribute("href")).toBe("/env-1/events?status=failed");
  expect(shown()).toContain("No approvals waiting · No overdue loans");
});

test("an endpoint that is disabled is what is wrong, and nothing says that all was delivered", async () => {
  const title = "https://shop.example.com/jara is disabled. Every delivery failed for five days.";
  const told = {
    kind: "webhook_disabled",
    title,
    count: 7,
    since: "2026-11-16T08:00:00.000Z",
    amount: null,
    items: [],
  };
  await open({ [`GET ${door}/overview`]: () => ({ ...overview, attention: [told] }) });
  await expect.poll(shown).toContain(title);
  expect(button("Open").getAttribute("href")).toBe("/env-1/developers");
  expect(shown()).not.toContain("No failed deliveries");
});

test("a list that cannot be read says why, and does not look like a good day", async () => {
  await open({ [`GET ${door}/loans`]: () => refuse(403, "scope_missing", { message: "Loans are not yours." }) });
  await expect.poll(shown).toContain("Loans are not yours.");
  expect(shown()).not.toContain("No overdue loans");
  expect(shown()).toContain("No failed deliveries");
});

test("money in and out is summed and compared with the same span of time before", async () => {
  const earlier = { ...overview, wallet: { ...overview.wallet, moneyIn: 250, moneyOut: 200 } };
  const asked = await open({
    [`GET ${door}/overview?by=day&from=2026-09-18T23%3A00%3A00.000Z`]: () => earlier,
  });
  await expect.poll(shown).toContain("₦500.00100% more than the 30 days before");
  expect(shown()).toContain("₦99.9950% less than the 30 days before");
  expect(asked.some(({ path }) => path.includes("to=2026-10-18"))).toBe(true);
});

test("the chart's figures are a table as well: days in Lagos, balances counted backwards", async () => {
  await open();
  await expect
    .poll(() => table("The chart's figures"))
    .toEqual([
      ["16 Nov 2026", "₦500.00", "₦0.00"],
      ["17 Nov 2026", "₦0.00", "₦99.99"],
      ["16 Nov 2026", "₦1,099.99"],
      ["17 Nov 2026", "₦1,000.00"],
    ]);
});

test("another period is another question", async () => {
  const asked = await open();
  const choice = document.querySelector<HTMLSelectElement>("select[aria-label=Period]");
  await settle(() => {
    if (choice === null) return;
    choice.value = "hour";
    choice.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await expect.poll(() => asked.some(({ path }) => path.endsWith("/overview?by=hour"))).toBe(true);
});

test("each bank says how many payouts got through, and how it is now", async () => {
  const bank = { bankCode: "058", bankName: "GT<b>Bank", status: "degraded", successRate: null, sampleSize: 0 };
  await open({
    [`GET ${door}/transfers/bank/health`]: () => [bank, { ...bank, bankCode: "999", bankName: "Far", status: "down" }],
  });
  await expect
    .poll(() => table("Payouts by bank"))
    .toEqual([
      ["GT<b>Bank", "58%", "1,234", "₦5,000.50", "2.1 s", "Degraded"],
      ["Access", "–", "0", "₦0.00", "–", ""],
    ]);
  // A bank that is not well is told even where nobody was paid.
  expect(shown()).toContain("Degraded or down now: Far.");
});

test("figures that cannot be read say so, and nothing goes on loading", async () => {
  let broken = true;
  const away = () => (broken ? refuse(503, "unavailable", { message: "No figures now." }) : overview);
  await open({ [`GET ${door}/overview`]: away });
  expect(shown()).toContain("No figures now.");
  expect(shown().match(/These figures could not be read\./g)).toHaveLength(3);
  expect(shown()).not.toContain("Loading");
  broken = false;
  await press("Try again");
  await expect.poll(shown).not.toContain("These figures could not be read.");
  expect(hasButton("Try again")).toBe(false);
});

test("a server that tells no figures of the wallet draws none", async () => {
  await open({ [`GET ${door}/overview`]: () => ({ ...overview, wallet: undefined, payouts: undefined }) });
  expect(document.querySelector("figure")).toBeNull();
  expect(shown()).toContain("No payouts in this period.");
});

test("every whole percent is told as it is, and nothing is rounded up to all", () => {
  for (let percent = 0; percent <= 100; percent += 1)
    expect(successText({ successRate: percent / 100 })).toBe(`${percent}%`);
  for (const rate of [0.999, 0.9999, 0.999999]) expect(successText({ successRate: rate })).toBe("99%");
});
