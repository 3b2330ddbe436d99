/** The page of one bill, and the list of all of them. */
import type { Bill } from "@jara/sdk";
import { afterEach, expect, test, vi } from "vitest";
import { button, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { cells, fact, pages, queryOf, savedFiles, screenIs } from "../testing/lists.ts";
import { BillPage } from "./bill-page.tsx";
import { BillsPage } from "./bills-page.tsx";

const bill: Bill = {
  id: "b-1",
  reference: "meter-1",
  sourceAccountId: "w-1",
  category: "electricity",
  provider: "ikeja-electric",
  product: { code: "ikeja-prepaid", name: "Ikeja Electric prepaid" },
  customer: { identifier: "45012345678", name: "ADA OBI" },
  amount: 5_000,
  fee: 100,
  commission: 37.5,
  totalDebited: 5_100,
  currency: "NGN",
  status: "successful",
  token: "1234-5678-9012-3456-7890",
  units: 71.4,
  receiptNumber: "R-9",
  failureReason: null,
  environment: "SANDBOX",
  createdAt: "2026-11-16T18:45:31.284Z",
  updatedAt: "2026-11-16T18:45:40.000Z",
  completedAt: "2026-11-16T18:45:40.000Z",
};

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Where = Parameters<typeof drawInConsole>[1];

async function open(more: Partial<Bill> = {}, where: Where = {}) {
  const server = { bill: { ...bill, ...more } };
  const asked = replyWith({
    [`GET ${door}/bills/b-1`]: () => server.bill,
    [`GET ${door}/traces/b-1`]: () => ({ id: "b-1", steps: [] }),
    [`POST ${door}/sandbox`]: () => ({}),
  });
  await drawInConsole(<BillPage />, { address: "/here/b-1", ...where });
  return { server, asked };
}

test("a bill shows what was taken and what was earned", async () => {
  await open();
  expect(document.querySelector("h1")?.textContent).toBe("₦5,000.00 of Ikeja Electric prepaid");
  const names = ["For", "Number", "Amount", "Fee", "You earn", "Taken from the wallet", "Units", "Receipt"];
  expect(names.map(fact)).toEqual([
    "ADA OBI",
    "45012345678",
    "₦5,000.00",
    "₦100.00",
    "₦37.50",
    "₦5,100.00",
    "71.4",
    "R-9",
  ]);
});

const token = "1234-5678-9012-3456-7890";

test("the token of a meter is hidden until somebody who may sell bills reveals it", async () => {
  await open();
  expect(document.body.innerHTML).not.toContain(token);
  await press("Reveal token");
  expect(fact("Meter token")).toContain(token);
  expect(hasButton("Copy the token")).toBe(true);
  await press("Hide token");
  expect(document.body.innerHTML).not.toContain(token);
});

test.each([
  ["owner", true],
  ["finance", true],
  ["developer", false],
  ["support", false],
  ["viewer", false],
])("%s is offered to reveal it: %s", async (role, can) => {
  await open({}, { role });
  expect(hasButton("Reveal token")).toBe(can);
});

test.each([
  ["SANDBOX", "owner", "pending", ["Complete", "Fail"]],
  ["SANDBOX", "developer", "processing", ["Complete", "Fail"]],
  ["SANDBOX", "owner", "successful", ["Reverse"]],
  ["SANDBOX", "owner", "reversed", []],
  ["SANDBOX", "finance", "processing", []],
  ["LIVE", "owner", "processing", []],
] as const)("in %s %s may steer a bill that is %s: %o", async (kind, role, status, offered) => {
  await open({ status }, { kind, role });
  expect(["Complete", "Fail", "Reverse"].filter(hasButton)).toEqual(offered);
});

test.each([
  ["Complete", "processing", "complete"],
  ["Fail", "processing", "fail"],
  ["Reverse", "successful", "reverse"],
] as const)("%s acts once it is confirmed", async (label, status, word) => {
  const { asked } = await open({ status });
  await press(label);
  expect(asked.some(({ method }) => method === "POST")).toBe(false);
  await settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());
  const posts = asked.filter(({ method }) => method === "POST");
  expect(posts.map(({ path }) => path)).toEqual([`${door}/sandbox/bills/b-1/${word}`]);
});

test("airtime has neither token nor name: the number stands for the customer", async () => {
  await open({ token: null, units: null, receiptNumber: null, customer: { identifier: "08031234567", name: null } });
  expect(fact("Meter token")).toBe("–");
  expect(fact("For")).toBe("08031234567");
});

test("a bill that failed says why", async () => {
  await open({ status: "failed", failureReason: { code: "meter_blocked", message: "The meter is blocked." } });
  expect(document.querySelector("[role=note]")?.textContent).toBe("The meter is blocked. meter_blocked");
});

test("while it is under way the page looks again, and then stops", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { server, asked } = await open({ status: "processing", completedAt: null });
  expect(fact("Ended")).toBe("–");
  server.bill = bill;
  await settle(() => vi.advanceTimersByTime(2_000));
  await expect.poll(() => fact("Ended")).toBe("16 Nov 2026 19:45:40");
  const before = asked.length;
  await settle(() => vi.advanceTimersByTime(60_000));
  expect(asked).toHaveLength(before);
});

test("a bill that cannot be read says why in the server's words", async () => {
  replyWith({ [`GET ${door}/bills/b-1`]: () => refuse(403, "scope_missing", { message: "Bills are not yours." }) });
  await drawInConsole(<BillPage />, { address: "/here/b-1" });
  expect(document.querySelector("[role=alert]")?.textContent).toContain("Bills are not yours.");
});

async function openList(rows: readonly Bill[], address = "/here") {
  const asked = replyWith({ [`GET ${door}/bills?`]: pages(rows) });
  const place = await drawInConsole(<BillsPage />, { address });
  return { place, newest: () => queryOf(asked.at(-1) ?? { path: "" }) };
}

test("each bill is a row with what it earned", async () => {
  screenIs("wide");
  await openList([bill]);
  expect(cells()).toEqual([
    [
      "meter-1",
      "₦5,000.00",
      "₦37.50",
      "Successful",
      "Ikeja Electric prepaidElectricity · 45012345678",
      "16 Nov 2026 19:45:31",
    ],
  ]);
  expect(button("meter-1").getAttribute("href")).toBe("/env-1/bills/b-1");
});

test("category and state are filters that stand in the address", async () => {
  const { place, newest } = await openList([bill]);
  await press("Filter");
  await type("Category", "tv");
  await expect.poll(place).toBe("/here?category=tv");
  await type("Status", "failed");
  await expect.poll(place).toBe("/here?category=tv&status=failed");
  await expect.poll(newest).toEqual({ category: "tv", status: "failed", page: "1", limit: "50" });
});

test("the file holds no token either", async () => {
  const files = savedFiles();
  await openList([bill]);
  await press("CSV");
  await expect.poll(() => files.has("bills.csv")).toBe(true);
  const text = await files.get("bills.csv")?.();
  expect(text).not.toContain("1234-5678");
  expect(text?.split("\r\n")[1]).toBe(
    "b-1,meter-1,successful,electricity,ikeja-prepaid,45012345678,5000,100,37.5,5100,2026-11-16T18:45:31.284Z,2026-11-16T18:45:40.000Z",
  );
});

test("before the first bill the page teaches how to sell one", async () => {
  await openList([]);
  expect(shown()).toContain("npx jara bills airtime --network MTN --phone 08031234567 --amount 500");
});
