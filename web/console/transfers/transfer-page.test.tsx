/** The page of one payout, in every state that it can be in. */
import type { Transfer } from "@jara/sdk";
import { afterEach, expect, test, vi } from "vitest";
import { button, field, hasButton, press, settle, shown } from "../../testing/draw.tsx";
import { brokenLine, held, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { fact } from "../testing/lists.ts";
import { ReceiptPage } from "./receipt-page.tsx";
import { TransferPage } from "./transfer-page.tsx";

const transfer: Transfer = {
  id: "t-1",
  reference: "order-7",
  externalReference: null,
  batchId: null,
  sourceAccountId: "w-1",
  accountNumber: "0123456789",
  accountName: "ADA OBI",
  bankCode: "058",
  bankName: "GTBank",
  amount: 2_500.5,
  fee: 25,
  vat: 1.88,
  stampDuty: 50,
  totalDebit: 2_577.38,
  currency: "NGN",
  narration: "Rent",
  status: "completed",
  sessionId: "000013261116184531000000000042",
  failureReason: null,
  metadata: null,
  environment: "SANDBOX",
  createdAt: "2026-11-16T23:30:00.000Z",
  updatedAt: "2026-11-16T23:30:02.000Z",
  completedAt: "2026-11-16T23:30:02.000Z",
};

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Where = Parameters<typeof drawInConsole>[1];

async function open(first: Partial<Transfer> = {}, where: Where = {}, replies: object = {}) {
  const server = { transfer: { ...transfer, ...first } };
  const asked = replyWith({
    [`GET ${door}/transfers/t-1`]: () => server.transfer,
    [`GET ${door}/traces/t-1`]: () => ({ id: "t-1", steps: [] }),
    ...replies,
  });
  await drawInConsole(<TransferPage />, { address: "/here/t-1", ...where });
  return { server, asked, reads: () => asked.filter(({ path }) => path === `${door}/transfers/t-1`).length };
}

test("every figure of the payout stands to the kobo, and adds up", async () => {
  await open();
  expect(document.querySelector("h1")?.textContent).toBe("₦2,500.50 to ADA OBI");
  expect(fact("Amount")).toBe("₦2,500.50");
  expect(fact("Fee, VAT, stamp duty")).toBe("₦25.00·₦1.88·₦50.00");
  expect(fact("Taken from the wallet")).toBe("₦2,577.38");
  expect(fact("Account")).toBe("0123456789 · GTBank");
});

test("moments are told in Lagos, which is a day ahead of UTC at midnight", async () => {
  await open();
  expect(fact("Created")).toBe("17 Nov 2026 00:30:00");
  expect(document.querySelector("time")?.title).toBe("2026-11-16 23:30:00.000 UTC");
});

test("the tab has the payout's name", async () => {
  await open();
  expect(document.title).toBe("₦2,500.50 to ADA OBI · Jara");
});

test("a holder that nobody knows yet is told by the account", async () => {
  await open({ accountName: null, narration: null, sessionId: null, completedAt: null });
  expect(document.querySelector("h1")?.textContent).toBe("₦2,500.50 to 0123456789");
  for (const name of ["To", "Narration", "Session at the bank", "Ended", "Batch"]) expect(fact(name)).toBe("–");
});

test("a payout that failed says why, where the money is, and how to pay again", async () => {
  await open({ status: "failed", failureReason: { code: "account_closed", message: "The account is closed." } });
  const note = document.querySelector("[role=note]")?.textContent;
  expect(note).toContain("The account is closed.");
  expect(note).toContain("account_closed");
  expect(note).toContain("Amount and fees are back in the wallet. To pay again, use a new reference.");
});

test("a payout that went well has no such note", async () => {
  await open();
  expect(document.querySelector("[role=note]")).toBeNull();
});

test("what strangers wrote is text", async () => {
  await open({ accountName: "<img src=x onerror=alert(1)>", narration: "<b>now</b>", reference: "<i>ref</i>" });
  expect(shown()).toContain("<img src=x onerror=alert(1)>");
  expect(document.querySelector("img, b, i")).toBeNull();
});

test("the id can be copied", async () => {
  const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await open();
  await press("Copy the id");
  expect(written).toHaveBeenCalledWith("t-1");
});

test.each(["pending", "processing"] as const)(
  "while it is %s the page looks again every two seconds",
  async (status) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { server, reads } = await open({ status });
    expect(reads()).toBe(1);
    server.transfer = transfer;
    await settle(() => vi.advanceTimersByTime(2_000));
    await settle();
    expect(reads()).toBe(2);
    expect(shown()).toContain("Completed");
    await settle(() => vi.advanceTimersByTime(60_000));
    expect(reads()).toBe(2);
  },
);

test.each(["completed", "failed", "reversed"] as const)("once it is %s nobody asks again", async (status) => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { asked } = await open({ status });
  const before = asked.length;
  await settle(() => vi.advanceTimersByTime(120_000));
  expect(asked).toHaveLength(before);
});

test("until it is there the page says that it loads", async () => {
  const { reply, give } = held();
  replyWith({ [`GET ${door}/transfers/t-1`]: () => reply });
  await drawInConsole(<TransferPage />, { address: "/here/t-1" });
  expect(document.querySelector("[role=status]")?.textContent).toBe("Loading");
  await settle(() => give(transfer));
  await expect.poll(shown).toContain("ADA OBI");
});

test("a payout of another environment is not found, and the page says where to look", async () => {
  replyWith({ [`GET ${door}/transfers/t-1`]: () => refuse(404, "transfer_not_found", { message: "No such payout." }) });
  await drawInConsole(<TransferPage />, { address: "/here/t-1" });
  expect(document.querySelector("[role=alert]")?.textContent).toContain("No such payout.");
  expect(shown()).toContain("LIVE and SANDBOX are apart.");
  expect(shown()).toContain("transfer_not_found");
});

test("a broken line can be tried again", async () => {
  let broken = true;
  replyWith({
    [`GET ${door}/transfers/t-1`]: () => (broken ? brokenLine() : transfer),
    [`GET ${door}/traces/t-1`]: () => ({ id: "t-1", steps: [] }),
  });
  await drawInConsole(<TransferPage />, { address: "/here/t-1" });
  expect(shown()).toContain("Nothing is lost.");
  broken = false;
  await press("Try again");
  await expect.poll(shown).toContain("ADA OBI");
  expect(hasButton("Try again")).toBe(false);
});

test("a trace that cannot be read leaves the payout's own facts standing", async () => {
  replyWith({
    [`GET ${door}/transfers/t-1`]: () => transfer,
    [`GET ${door}/traces/t-1`]: () => refuse(503, "unavailable", { message: "The trace is away." }),
  });
  await drawInConsole(<TransferPage />, { address: "/here/t-1" });
  expect(shown()).toContain("The trace is away.");
  expect(fact("Amount")).toBe("₦2,500.50");
  expect(button("Try again")).toBeDefined();
});

const payoutReplies = {
  [`GET ${door}/transfers/banks`]: () => [{ code: "058", name: "GTBank" }],
  [`GET ${door}/transfers/name-enquiry`]: () => ({
    accountName: "ADA OBI",
    bankName: "GTBank",
    nameEnquiryReference: "n-1",
  }),
  [`GET ${door}/transfers/fee`]: () => ({ totalFee: 76.88, totalDebit: 2_577.38 }),
  [`GET ${door}/wallets/balance`]: () => ({ available: 10_000 }),
};

test("pay again fills the form with the same order, under a new reference", async () => {
  const { asked } = await open({}, {}, { ...payoutReplies, [`POST ${door}/transfers`]: () => ({ id: "t-2" }) });
  await press("Pay again");
  await expect.poll(() => (field("Bank") as HTMLSelectElement).value).toBe("058");
  expect(["Account number", "Amount in naira", "Narration"].map((name) => field(name).value)).toEqual([
    "0123456789",
    "2500.5",
    "Rent",
  ]);
  await press("Check name and fee");
  await expect.poll(() => hasButton("Pay ₦2,500.50")).toBe(true);
  await press("Pay ₦2,500.50");
  await expect.poll(() => asked.filter(({ method }) => method === "POST")).toHaveLength(1);
  const sent = asked.find(({ method }) => method === "POST");
  const { reference, ...body } = Object(sent?.body) as Record<string, unknown>;
  expect(reference).not.toBe("order-7");
  expect(body).toEqual({
    accountNumber: "0123456789",
    bankCode: "058",
    amount: 2_500.5,
    currency: "NGN",
    narration: "Rent",
    nameEnquiryReference: "n-1",
  });
});

test("pay again is stopped like any repeated payment", async () => {
  const data = {
    paymentId: "p-1",
    kind: "payout",
    isWaiting: false,
    recordId: "t-1",
    amount: 2_500.5,
    paidAt: "2026-11-16T23:30:00.000Z",
    paidBy: "Ada Obi",
    isOwn: true,
    secondsAgo: 60,
    repeatedCount: 1,
  };
  const repeated = () => refuse(409, "payment_repeated", { data });
  const { asked } = await open({}, {}, { ...payoutReplies, [`POST ${door}/transfers`]: repeated });
  await press("Pay again");
  await press("Check name and fee");
  await expect.poll(() => hasButton("Pay ₦2,500.50")).toBe(true);
  await press("Pay ₦2,500.50");
  await expect.poll(shown).toContain("You paid ₦2,500.50 to ADA OBI 1 minute ago.");
  expect(asked.find(({ method }) => method === "POST")?.headers).not.toHaveProperty("x-jara-pay-again");
});

test.each([
  ["owner", true],
  ["finance", true],
  ["developer", false],
  ["support", false],
  ["viewer", false],
])("%s is offered to pay again: %s", async (role, can) => {
  await open({}, { role });
  expect(hasButton("Pay again")).toBe(can);
});

test.each([
  ["SANDBOX", "owner", "pending", ["Fail"]],
  ["SANDBOX", "owner", "processing", ["Complete", "Fail"]],
  ["SANDBOX", "developer", "completed", ["Reverse"]],
  ["SANDBOX", "owner", "failed", []],
  ["SANDBOX", "finance", "processing", []],
  ["LIVE", "owner", "processing", []],
] as const)("in %s %s may steer a payout that is %s: %o", async (kind, role, status, offered) => {
  await open({ status }, { kind, role });
  expect(["Complete", "Fail", "Reverse"].filter(hasButton)).toEqual(offered);
});

test.each([
  ["Complete", "processing", "complete"],
  ["Fail", "processing", "fail"],
  ["Reverse", "completed", "reverse"],
] as const)("%s acts once it is confirmed", async (label, status, word) => {
  const { asked } = await open({ status }, {}, { [`POST ${door}/sandbox`]: () => ({}) });
  await press(label);
  expect(asked.some(({ method }) => method === "POST")).toBe(false);
  await settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());
  const posts = asked.filter(({ method }) => method === "POST");
  expect(posts.map(({ path }) => path)).toEqual([`${door}/sandbox/transfers/t-1/${word}`]);
});

test("only a completed payout leads to a receipt", async () => {
  await open();
  expect(button("Download receipt").getAttribute("href")).toBe("/env-1/transfers/t-1/receipt");
});

test.each(["pending", "processing", "failed", "reversed"] as const)("one that is %s has none", async (status) => {
  await open({ status });
  expect(hasButton("Download receipt")).toBe(false);
  await drawInConsole(<ReceiptPage />, { address: "/here/t-1" });
  expect(shown()).toContain("Only completed payouts have a receipt.");
});

async function openReceipt(where: Where = {}) {
  replyWith({ [`GET ${door}/transfers/t-1`]: () => transfer });
  await drawInConsole(<ReceiptPage />, { address: "/here/t-1", ...where });
}

test("the receipt has all that a recipient asks for, and prints", async () => {
  const printed = vi.fn();
  vi.stubGlobal("print", printed);
  await openReceipt({ kind: "LIVE" });
  expect(shown()).toContain("₦2,500.50Two thousand, five hundred naira, fifty kobo only");
  const names = ["Recipient", "Bank", "Account number", "Paid by", "Date and time", "Reference", "Session id", "Fee"];
  expect([...names, "Total debited"].map(fact)).toEqual([
    "ADA OBI",
    "GTBank",
    "0123456789",
    "Mama Put",
    "17 Nov 2026 00:30:02 (Lagos)",
    "order-7",
    "000013261116184531000000000042",
    "₦25.00",
    "₦2,577.38",
  ]);
  expect(shown()).not.toContain("Sandbox");
  await press("Print or save as PDF");
  expect(printed).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

test("a sandbox's receipt says that no real money moved", async () => {
  await openReceipt();
  expect(shown()).toContain("Sandbox: this is a test. No real money moved.");
});
