/** The list of payouts: its columns, its filters, its file. */
import type { Transfer } from "@jara/sdk";
import { afterEach, expect, test, vi } from "vitest";
import { button, field, press, pressKey, settle, shown, type } from "../../testing/draw.tsx";
import { replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { cells, pages, queryOf, savedFiles, screenIs } from "../testing/lists.ts";
import { TransfersPage } from "./transfers-page.tsx";

afterEach(() => vi.restoreAllMocks());

const transfer = (number: number, more: Partial<Transfer> = {}): Transfer => ({
  id: `t-${number}`,
  reference: `order-${number}`,
  externalReference: null,
  batchId: null,
  sourceAccountId: "w-1",
  accountNumber: "0123456789",
  accountName: "ADA OBI",
  bankCode: "058",
  bankName: "GTBank",
  amount: 1_500,
  fee: 10,
  vat: 0.75,
  stampDuty: 0,
  totalDebit: 1_510.75,
  currency: "NGN",
  narration: null,
  status: "completed",
  sessionId: null,
  failureReason: null,
  metadata: null,
  environment: "SANDBOX",
  createdAt: "2026-11-16T18:45:31.284Z",
  updatedAt: "2026-11-16T18:45:33.000Z",
  completedAt: "2026-11-16T18:45:33.000Z",
  ...more,
});

async function open(rows: readonly Transfer[], address = "/here") {
  const asked = replyWith({
    [`GET ${door}/transfers/banks`]: () => [
      { code: "044", name: "Access Bank" },
      { code: "058", name: "GTBank" },
    ],
    [`GET ${door}/transfers?`]: pages(rows),
  });
  const place = await drawInConsole(<TransfersPage />, { address });
  const newest = () =>
    queryOf(asked.filter(({ path }) => path.startsWith(`${door}/transfers?`)).at(-1) ?? { path: "" });
  return { asked, place, newest };
}

test("a payout is a row with all that tells it apart", async () => {
  screenIs("wide");
  await open([transfer(1), transfer(2, { accountName: null, status: "processing", amount: 0.01 })]);
  expect(cells()).toEqual([
    ["order-1", "₦1,500.00", "Completed", "ADA OBI0123456789 · GTBank", "16 Nov 2026 19:45:31"],
    ["order-2", "₦0.01", "Processing", "Name not known yet0123456789 · GTBank", "16 Nov 2026 19:45:31"],
  ]);
  expect(button("order-2").getAttribute("href")).toBe("/env-1/transfers/t-2");
});

test("before the first payout the page teaches how to make one", async () => {
  await open([]);
  expect(shown()).toContain("No payouts yet");
  expect(shown()).toContain("npx jara pay --bank 058 --account 0123456789 --amount 2500 --yes");
});

test("an address with filters asks for just those rows", async () => {
  const { newest } = await open(
    [],
    "/here?reference=order-7&status=failed,reversed&bankCode=058&minAmount=100&maxAmount=2000.5&from=2026-11-01&to=2026-11-17",
  );
  expect(newest()).toEqual({
    reference: "order-7",
    status: "failed,reversed",
    bankCode: "058",
    minAmount: "100",
    maxAmount: "2000.5",
    from: "2026-11-01",
    to: "2026-11-17",
    page: "1",
    limit: "50",
  });
});

test("banks are chosen by name and asked for by code", async () => {
  const { place, newest } = await open([transfer(1)]);
  await press("Filter");
  await expect.poll(shown).toContain("Access Bank");
  await type("Bank", "044");
  await expect.poll(() => queryOf({ path: place() })).toMatchObject({ bankCode: expect.stringContaining("044") });
  await expect.poll(newest).toMatchObject({ bankCode: expect.stringContaining("044") });
});

const option = (name: string): HTMLElement => {
  const items = [...document.querySelectorAll<HTMLElement>("[role=menuitemcheckbox]")];
  const found = items.find((item) => item.textContent === name);
  if (found === undefined) throw new Error(`no option ${name}`);
  return found;
};

test("several states are chosen at once, and stand in the order of a payout's life", async () => {
  const { place } = await open([transfer(1)]);
  await press("Filter");
  field("Status").focus();
  await pressKey("Enter", field("Status"));
  await settle(() => option("Reversed").click());
  await settle(() => option("Pending").click());
  await expect.poll(() => decodeURIComponent(place())).toContain("status=pending,reversed");
  expect(option("Pending").getAttribute("aria-checked")).toBe("true");
  expect(field("Status").textContent).toBe("Pending + 1");
  await settle(() => option("Pending").click());
  await settle(() => option("Reversed").click());
  await expect.poll(place).toBe("/here");
  expect(field("Status").textContent).toBe("All");
});

test("the file has a line for each payout, with names of strangers made harmless", async () => {
  const files = savedFiles();
  await open([
    transfer(1, { accountName: "=HYPERLINK(1)", narration: 'Say "hi", Ada' }),
    transfer(2, { status: "failed", failureReason: { code: "closed", message: "The account is closed." } }),
  ]);
  await press("CSV");
  await expect.poll(() => [...files.keys()]).toEqual(["transfers.csv"]);
  const [titles, first, second] = ((await files.get("transfers.csv")?.()) ?? "").split("\r\n");
  expect(titles).toBe(
    "id,reference,status,amount,fee,vat,stamp_duty,total_debit,account_number,account_name,bank,narration,failure," +
      "created_at,completed_at",
  );
  expect(first).toContain(`0123456789,'=HYPERLINK(1),GTBank,"Say ""hi"", Ada",,2026-11-16T18:45:31.284Z`);
  expect(second).toContain("The account is closed.");
});

test("the file is asked for with the filters of the list, a hundred rows at a time", async () => {
  savedFiles();
  const { newest } = await open([transfer(1)], "/here?reference=order-1");
  await press("CSV");
  await expect.poll(newest).toEqual({ reference: "order-1", page: "1", limit: "100" });
});
