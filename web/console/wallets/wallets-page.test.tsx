/** What the merchant has, what is held, and every movement. */
import { afterEach, expect, test, vi } from "vitest";
import { button, press, shown } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { cells, pages, queryOf, savedFiles, screenIs } from "../testing/lists.ts";
import { WalletsPage } from "./wallets-page.tsx";

afterEach(() => vi.restoreAllMocks());

const line = {
  id: "l-1",
  type: "transfer_hold",
  direction: "debit",
  amount: 2_577.38,
  balanceAfter: 997_422.62,
  narration: "<b>rent</b>" as string | null,
  resource: { type: "transfer", id: "t-1", reference: "order-7" as string | null },
  createdAt: "2026-11-16T23:30:00.000Z",
};
const account = {
  id: "w-2",
  accountName: "Shop <i>two</i>",
  accountNumber: "9900000002",
  bankName: "Jara",
  balance: 0.5,
};

async function open(lines: readonly object[], replies: object = {}, address = "/here") {
  const asked = replyWith({
    [`GET ${door}/wallets/balance`]: () => ({ available: 997_422.62, held: 2_577.38 }),
    [`GET ${door}/wallets/sub-accounts`]: pages([account]),
    [`GET ${door}/wallets/transactions`]: pages(lines),
    ...replies,
  });
  await drawInConsole(<WalletsPage />, { address });
  return asked;
}

test("available and held are told apart, to the kobo", async () => {
  await open([]);
  expect(shown()).toContain("Available₦997,422.62₦2,577.38 on hold");
});

test("a line of the statement has its sign, and the balance that it left", async () => {
  screenIs("wide");
  await open([
    line,
    {
      ...line,
      id: "l-2",
      direction: "credit",
      type: "funding",
      narration: null,
      resource: { type: "funding", id: "f-1", reference: null },
    },
  ]);
  expect(cells()).toEqual([
    ["Transfer hold", "−₦2,577.38", "₦997,422.62", "order-7", "<b>rent</b>", "17 Nov 2026 00:30:00"],
    ["Funding", "+₦2,577.38", "₦997,422.62", "f-1", "", "17 Nov 2026 00:30:00"],
  ]);
  expect(document.querySelector("[data-row]")?.getAttribute("href")).toBe("/env-1/trace/l-1");
});

test("a sub-account leads to its own statement", async () => {
  await open([]);
  expect(button("Shop <i>two</i>").getAttribute("href")).toBe("/env-1/wallets?accountId=w-2");
  expect(shown()).toContain("9900000002 · Jara₦0.50");
});

test("the statement of one wallet is asked for by its id", async () => {
  const asked = await open([], {}, "/here?accountId=w-2&from=2026-11-01");
  const newest = asked.filter(({ path }) => path.includes("/transactions")).at(-1);
  expect(queryOf(newest ?? { path: "" })).toEqual({ accountId: "w-2", from: "2026-11-01", page: "1", limit: "50" });
});

test("a balance that cannot be read leaves the statement standing", async () => {
  await open([line], { [`GET ${door}/wallets/balance`]: () => refuse(503, "unavailable", { message: "Away." }) });
  expect(shown()).toContain("Away.");
  expect(shown()).toContain("order-7");
});

test("the statement's file has plain numbers and no signs", async () => {
  const files = savedFiles();
  await open([line]);
  await press("CSV");
  await expect.poll(() => files.has("statement.csv")).toBe(true);
  expect((await files.get("statement.csv")?.())?.split("\r\n")[1]).toBe(
    "l-1,transfer_hold,debit,2577.38,997422.62,order-7,<b>rent</b>,2026-11-16T23:30:00.000Z",
  );
});

test("an empty statement teaches how to fund a sandbox", async () => {
  await open([]);
  expect(shown()).toContain("$BASE/sandbox/wallets/fund");
});
