/** A batch while its payouts find their ends. */
import { afterEach, expect, test, vi } from "vitest";
import { button, hasButton, press, settle, shown } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { fact, savedFiles } from "../testing/lists.ts";
import { BatchPage } from "./batch-page.tsx";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const item = (number: number, more: object = {}) => ({
  reference: `may-${number}`,
  id: `t-${number}`,
  status: "completed",
  code: null,
  message: null,
  accountName: `HOLDER ${number}`,
  accountNumber: `012345678${number}`,
  bankCode: "058",
  bankName: "Guaranty Trust Bank",
  amount: 2_500,
  ...more,
});
const batch = {
  batchId: "b-1",
  batchReference: "may-1234",
  status: "processing",
  totalCount: 4,
  totalAmount: 10_000.5,
  totalFee: 43,
  transfers: [
    item(1),
    item(2, { status: "processing" }),
    item(3, { status: "failed", code: "closed", message: "The account is closed." }),
    item(4, { id: null, status: "rejected", code: "bank_unknown", message: "No such bank: <b>999</b>." }),
  ],
  counts: { pending: 0, processing: 1, completed: 1, failed: 1, rejected: 1, reversed: 0 },
  createdAt: "2026-11-16T18:45:31.284Z",
  completedAt: null as string | null,
};

async function open(first: object = batch) {
  const server = { batch: first };
  const asked = replyWith({ [`GET ${door}/transfers/bulk/b-1`]: () => server.batch });
  await drawInConsole(<BatchPage />, { address: "/here/b-1" });
  return { server, asked };
}
const bar = () => document.querySelector("progress");

test("how far it is stands as a bar, as a count, and state by state", async () => {
  await open();
  expect([bar()?.getAttribute("value"), bar()?.getAttribute("max")]).toEqual(["3", "4"]);
  expect(bar()?.getAttribute("aria-label")).toBe("Payouts with an outcome");
  expect(fact("Done")).toBe("3 of 4");
  expect(fact("States")).toBe("1 processing, 1 completed, 1 failed, 1 rejected");
  expect(fact("Amount")).toBe("₦10,000.50");
  expect(fact("Completed")).toBe("–");
});

test("each payout that was made leads to its page, and one that was not says why", async () => {
  await open();
  expect(button("may-1").getAttribute("href")).toBe("/env-1/transfers/t-1");
  expect(hasButton("may-4")).toBe(false);
  expect(shown()).toContain("No such bank: <b>999</b>.");
  for (const text of ["HOLDER 1", "0123456781", "Guaranty Trust Bank", "₦2,500.00", "Left out: 1 row"]) {
    expect(shown()).toContain(text);
  }
  expect(document.querySelector("b")).toBeNull();
});

test("it looks again until the last payout has an outcome", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { server, asked } = await open();
  server.batch = {
    ...batch,
    status: "completed",
    counts: { pending: 0, processing: 0, completed: 2, failed: 1, rejected: 1 },
    completedAt: "2026-11-16T23:00:00.000Z",
  };
  await settle(() => vi.advanceTimersByTime(1_500));
  await expect.poll(() => fact("Completed")).toBe("17 Nov 2026 00:00:00");
  expect(fact("Done")).toBe("4 of 4");
  const before = asked.length;
  await settle(() => vi.advanceTimersByTime(60_000));
  expect(asked).toHaveLength(before);
});

test("the result file has a line for each row of the file that was brought", async () => {
  const files = savedFiles();
  await open();
  await press("Result file");
  expect([...files.keys()]).toEqual(["may-1234.csv"]);
  expect(await files.get("may-1234.csv")?.()).toBe(
    [
      "reference,status,recipient,account_number,bank,amount,id,code,message",
      "may-1,completed,HOLDER 1,0123456781,Guaranty Trust Bank,2500,t-1,,",
      "may-2,processing,HOLDER 2,0123456782,Guaranty Trust Bank,2500,t-2,,",
      "may-3,failed,HOLDER 3,0123456783,Guaranty Trust Bank,2500,t-3,closed,The account is closed.",
      "may-4,rejected,HOLDER 4,0123456784,Guaranty Trust Bank,2500,,bank_unknown,No such bank: <b>999</b>.",
      "",
    ].join("\r\n"),
  );
});

test("a batch that is not there says so", async () => {
  replyWith({
    [`GET ${door}/transfers/bulk/b-1`]: () => refuse(404, "batch_not_found", { message: "No such batch." }),
  });
  await drawInConsole(<BatchPage />, { address: "/here/b-1" });
  expect(document.querySelector("[role=alert]")?.textContent).toContain("No such batch.");
});
