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
  by: "day",
  wallet: {
    available: 1_000,
    moneyIn: 500,
    moneyOut: 0,
    steps: [
      { at: "2026-11-15T23:00:00.000Z", moneyIn: 500, moneyOut: 0 },
      { at: "2026-11-16T23:00:00.000Z", moneyIn: 0, moneyOut: 99.99 },
    ],
  },
  payouts: {
    byBank: [
      { bankCode: "058", bankName: "GT<b>Bank", count: 1_234, amount: 5_000.5, successRate: 0.58, medianSeconds: 2.1 },
      { bankCode: "044", bankName: "Access", count: 0, amount: 0, successRate: null, medianSeconds: null },
    ],
  },
};
const calm = {
  [`GET ${door}/wallets/balance`]: () => ({ available: 1_000, held: 0 }),
  [`GET ${door}/approvals`]: pages([]),
  [`GET ${door}/transfers?`]: pages([]),
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

test("a good day is told in words, not by empty boxes", async () => {
  await open();
  for (const words of [
    "Nothing waits to be approved.",
    "Every payout has its outcome.",
    "Nobody is late.",
    "Your endpoints took everything.",
  ])
    expect(shown()).toContain(words);
});

test("only what needs somebody is asked for", async () => {
  const asked = await open();
  const paths = asked.map(({ path }) => path.slice(door.length));
  expect(paths).toEqual(
    expect.arrayContaining([
      "/approvals?waiting=true&page=1&limit=50",
      "/transfers?status=processing&page=1&limit=50",
      "/loans?status=overdue&page=1&limit=50",
      "/events?status=failed&page=1&limit=50",
    ]),
  );
});

test("of many, the newest five are shown, and the way to all of them", async () => {
  const rows = Array.from({ length: 1_207 }, (_, at) => ({
    id: `t-${at}`,
    reference: `order-${at}`,
    amount: 10,
    createdAt: "2026-11-16T23:30:00.000Z",
  }));
  await open({ [`GET ${door}/transfers?`]: pages(rows) });
  expect(document.querySelectorAll("[data-row]")).toHaveLength(5);
  expect(button("All 1,207").getAttribute("href")).toBe("/env-1/transfers?status=processing");
  expect(button("order-0").getAttribute("href")).toBe("/env-1/transfers/t-0");
});

test("a list that cannot be read says why, and does not look like a good day", async () => {
  await open({ [`GET ${door}/loans`]: () => refuse(403, "scope_missing", { message: "Loans are not yours." }) });
  expect(shown()).toContain("Loans are not yours.");
  expect(shown()).not.toContain("Nobody is late.");
  expect(shown()).toContain("Your endpoints took everything.");
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
      ["GT<b>Bank", "58 %", "1,234", "₦5,000.50", "2.1 s", "Degraded"],
      ["Access", "–", "0", "₦0.00", "–", ""],
    ]);
  // A bank that is not well is told even where nobody was paid.
  expect(shown()).toContain("Not well now: Far.");
});

test("figures that cannot be read say so, and nothing goes on loading", async () => {
  let broken = true;
  const away = () => (broken ? refuse(503, "unavailable", { message: "No figures now." }) : overview);
  await open({ [`GET ${door}/overview`]: away });
  expect(shown()).toContain("No figures now.");
  expect(shown().match(/These figures could not be read\./g)).toHaveLength(2);
  expect(shown()).not.toContain("Loading");
  broken = false;
  await press("Try again");
  await expect.poll(shown).not.toContain("These figures could not be read.");
  expect(hasButton("Try again")).toBe(false);
});

test("a server that tells no figures of the wallet draws none", async () => {
  await open({ [`GET ${door}/overview`]: () => ({ by: "day" }) });
  expect(document.querySelector("figure")).toBeNull();
  expect(shown()).toContain("No payout in this period.");
});

test("every whole percent is told as it is, and nothing is rounded up to all", () => {
  for (let percent = 0; percent <= 100; percent += 1)
    expect(successText({ successRate: percent / 100 })).toBe(`${percent} %`);
  for (const rate of [0.999, 0.9999, 0.999999]) expect(successText({ successRate: rate })).toBe("99 %");
});
