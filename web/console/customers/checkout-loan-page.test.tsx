/** The page of a loan that a customer took at the checkout. */
import { afterEach, expect, test, vi } from "vitest";
import { button, field, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { type Asked, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { fact, pages } from "../testing/lists.ts";
import { CheckoutLoanPage } from "./checkout-loan-page.tsx";
import type { CheckoutLoanRecord } from "./customer.ts";

afterEach(() => vi.restoreAllMocks());

const loan: CheckoutLoanRecord = {
  id: "l-1",
  customer_id: "cu-1",
  reference: "ref-1",
  amount: 60_000,
  balance: 43_000,
  credit: 0,
  tenor: 3,
  interest_rate: 2.5,
  total_interest: 3_000,
  total_repayment: 63_000,
  installment_amount: 21_000,
  bank_account_no: "0123456789",
  bank_name: "GTBank",
  account_name: "MAMA PUT",
  status: "active",
  requirements: [],
  next_due_date: "2026-12-16T22:59:59.999Z",
  created_at: "2026-11-16T23:30:00.000Z",
  schedules: [
    {
      id: "i-1",
      installment_number: 1,
      due_date: "2026-12-16T22:59:59.999Z",
      principal: 20_000,
      interest: 1_000,
      fees: 0,
      amount_due: 21_000,
      late_fee: 0,
      amount_paid: 0,
      balance: 21_000,
      status: "pending",
    },
  ],
};
const base = "/loans/bnpl/loans/l-1";

async function open(more: Partial<CheckoutLoanRecord> = {}, role = "owner", replies: object = {}) {
  const asked = replyWith({
    [`GET ${door}${base}`]: () => ({ ...loan, ...more }),
    [`GET ${door}${base}/repayments`]: pages([]),
    [`GET ${door}/traces/l-1`]: () => ({ id: "l-1", steps: [] }),
    [`POST ${door}${base}`]: () => ({}),
    [`POST ${door}${base}/page`]: () => ({ url: "https://jara.example/plans/1#secret", expires_at: loan.created_at }),
    ...replies,
  });
  await drawInConsole(<CheckoutLoanPage />, { address: "/here/l-1", role });
  return asked;
}
const posts = (asked: readonly Asked[]) =>
  asked.filter(({ method }) => method === "POST").map(({ path, body }) => [path.slice(door.length), body]);
const submit = () => settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());

test("the loan tells where it stands, where its money went, and whose it is", async () => {
  await open();
  expect(document.querySelector("h1")?.textContent).toBe("₦60,000.00 over 3 months");
  expect(["Next due", "Balance", "Paid to", "To repay in all"].map(fact)).toEqual([
    "₦21,000.00",
    "₦43,000.00",
    "MAMA PUT · 0123456789 · GTBank",
    "₦63,000.00",
  ]);
  expect(button("Open the customer").getAttribute("href")).toBe("/env-1/customers/cu-1");
});

test("one that waits for the customer says for what", async () => {
  await open({ status: "pending_consent", requirements: [{ type: "card_link", status: "pending" }], schedules: [] });
  expect(fact("Still needed")).toBe("Card link");
  expect(shown()).not.toContain("Repayments");
});

const actions = ["Record repayment", "Refund order", "Customer's page", "Refund credit", "Cancel loan"];

test.each([
  ["owner", { status: "active" }, ["Record repayment", "Refund order", "Customer's page"]],
  ["finance", { status: "completed", credit: 5 }, ["Refund order", "Customer's page", "Refund credit"]],
  ["owner", { status: "approved" }, ["Cancel loan"]],
  ["owner", { status: "rejected" }, []],
  ["developer", { status: "active" }, []],
  ["support", { status: "approved" }, []],
] as const)("%s of a loan with %o is offered %o", async (role, more, offered) => {
  await open(more, role);
  expect(actions.filter(hasButton)).toEqual(offered);
});

test("the card is charged for what is due", async () => {
  const asked = await open();
  await press("Record repayment");
  expect([field("Amount in naira").value, field("How the borrower paid").value]).toEqual(["21000", "card"]);
  await type("Reference", "repay-7");
  await submit();
  await expect
    .poll(() => posts(asked))
    .toEqual([[`${base}/repayments`, { amount: 21_000, channel: "card", reference: "repay-7" }]]);
});

test("a card that is declined is told, and nothing is shown as paid", async () => {
  const declined = () => refuse(422, "card_declined", { message: "The card was declined." });
  await open({}, "owner", { [`POST ${door}${base}/repayments`]: declined });
  await press("Record repayment");
  await submit();
  await expect.poll(shown).toContain("The card was declined.");
  expect(document.querySelector("[role=dialog]")).not.toBeNull();
});

test("returned goods are refunded with amount, reason and reference", async () => {
  const asked = await open();
  await press("Refund order");
  expect(field("Amount in naira").value).toBe("");
  await type("Amount in naira", "1,500.50");
  await type("Reason", "One item came back");
  await type("Reference", "refund-7");
  await submit();
  await expect
    .poll(() => posts(asked))
    .toEqual([[`${base}/refund`, { amount: 1_500.5, reason: "One item came back", reference: "refund-7" }]]);
});

test("a loan that is not paid out yet is cancelled", async () => {
  const asked = await open({ status: "pending_card" });
  await press("Cancel loan");
  await submit();
  await expect.poll(() => posts(asked)).toEqual([[`${base}/cancel`, {}]]);
});

test("the customer's link is copied and never shown", async () => {
  const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await open();
  await press("Customer's page");
  await submit();
  await expect.poll(() => hasButton("Copy the customer's link")).toBe(true);
  expect(document.body.innerHTML).not.toContain("#secret");
  await press("Copy the customer's link");
  expect(written).toHaveBeenCalledWith("https://jara.example/plans/1#secret");
});
