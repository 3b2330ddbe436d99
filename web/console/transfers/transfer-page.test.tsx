/** The page of one payout, in every state that it can be in. */
import type { Transfer } from "@jara/sdk";
import { afterEach, expect, test, vi } from "vitest";
import { button, hasButton, press, settle, shown } from "../../testing/draw.tsx";
import { brokenLine, held, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { fact } from "../testing/lists.ts";
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

async function open(first: Partial<Transfer> = {}) {
  const server = { transfer: { ...transfer, ...first } };
  const asked = replyWith({
    [`GET ${door}/transfers/t-1`]: () => server.transfer,
    [`GET ${door}/traces/t-1`]: () => ({ id: "t-1", steps: [] }),
  });
  await drawInConsole(<TransferPage />, { address: "/here/t-1" });
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
