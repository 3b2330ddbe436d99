/** People who buy on credit, and their way through the checkout. */
import { afterEach, expect, test, vi } from "vitest";
import { button, hasButton, press, settle, shown } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { cells, fact, pages, savedFiles, screenIs } from "../testing/lists.ts";
import type { CheckoutLoan, Customer, Eligibility } from "./customer.ts";
import { CustomerPage } from "./customer-page.tsx";
import { CustomersPage } from "./customers-page.tsx";
import type { CheckoutSession } from "./session.ts";
import { SessionPage } from "./session-page.tsx";
import { SessionsPage } from "./sessions-page.tsx";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const base = `${door}/loans/bnpl/customers/cu-1`;
const customer: Customer = {
  id: "cu-1",
  first_name: "Ada",
  last_name: "<b>Obi</b>",
  email: "ada@example.com",
  phone: "+2348031234567",
  external_id: null,
  kyc_status: "verified",
  has_linked_card: true,
  created_at: "2026-11-16T23:30:00.000Z",
};
const eligibility: Eligibility = {
  eligible: true,
  reasons: [],
  min_amount: 5_000,
  max_amount: 200_000.5,
  tenors: [
    { tenor: 1, interest_rate: 2.5 },
    { tenor: 3, interest_rate: 3 },
  ],
};
const loan: CheckoutLoan = {
  id: "l-1",
  amount: 60_000,
  balance: 43_000,
  tenor: 3,
  status: "active",
  next_due_date: "2026-12-16T22:59:59.999Z",
};

async function open(replies: object = {}) {
  replyWith({
    [`GET ${base}/eligibility`]: () => eligibility,
    [`GET ${base}/cards`]: () => [{ id: "k-1", brand: "visa", last4: "4081", exp_month: 12, exp_year: 2029 }],
    [`GET ${base}/loans/active`]: () => [loan, { ...loan, id: "l-2", tenor: 1, next_due_date: null }],
    [`GET ${base}`]: () => customer,
    ...replies,
  });
  await drawInConsole(<CustomerPage />, { address: "/here/cu-1" });
}

test("a customer's page tells what they may borrow, on which card, and what is open", async () => {
  await open();
  expect(document.querySelector("h1")?.textContent).toBe("Ada <b>Obi</b>");
  expect(["From", "Up to", "For"].map(fact)).toEqual(["₦5,000.00", "₦200,000.50", "1 month at 2.5 %, 3 months at 3 %"]);
  expect(shown()).toContain("Visa ending 4081, until 12/2029");
  expect(button("₦60,000.00 over 3 months").getAttribute("href")).toBe("/env-1/checkout-loans/l-1");
  expect(shown()).toContain("₦43,000.00 open, next due 16 Dec 2026");
  expect(hasButton("₦60,000.00 over 1 month")).toBe(true);
});

test("one who may borrow nothing is told every reason", async () => {
  const reasons = [
    { code: "kyc_unverified", message: "The identity is not confirmed." },
    { code: "arrears", message: "A loan is late." },
  ];
  await open({ [`GET ${base}/eligibility`]: () => ({ ...eligibility, eligible: false, reasons }) });
  expect(shown()).toContain("The identity is not confirmed.A loan is late.");
  expect(fact("Up to")).toBeUndefined();
});

test("nothing linked and nothing open are said in words", async () => {
  await open({ [`GET ${base}/cards`]: () => [], [`GET ${base}/loans/active`]: () => [] });
  expect(shown()).toContain("No card is linked.");
  expect(shown()).toContain("Nothing is open.");
});

test("a part that cannot be read does not take the others along", async () => {
  await open({ [`GET ${base}/eligibility`]: () => refuse(503, "unavailable", { message: "The register is away." }) });
  expect(shown()).toContain("The register is away.");
  expect(shown()).toContain("Visa ending 4081");
});

test("customers stand in a list with what is known of their identity", async () => {
  screenIs("wide");
  replyWith({
    [`GET ${door}/loans/bnpl/customers`]: pages([
      customer,
      { ...customer, id: "cu-2", kyc_status: "unverified", has_linked_card: false },
    ]),
  });
  await drawInConsole(<CustomersPage />);
  expect(cells().map((row) => [row[0], row[1], row[4]])).toEqual([
    ["Ada <b>Obi</b>", "Verified", "Linked"],
    ["Ada <b>Obi</b>", "Unverified", "None"],
  ]);
});

const session: CheckoutSession = {
  id: "s-1",
  url: "https://jara.example/checkout/s-1#secret-token",
  status: "open",
  customer_id: "cu-1",
  loan_id: null,
  order_reference: "order-7",
  amount: 60_000,
  items: [{ name: "Fan", quantity: 2, amount: 30_000 }],
  bank_account_no: "0123456789",
  bank_code: "058",
  expires_at: "2026-11-17T00:30:00.000Z",
  created_at: "2026-11-16T23:30:00.000Z",
};
const path = `${door}/loans/bnpl/checkout-sessions/s-1`;

async function openSession(more: Partial<CheckoutSession> = {}, replies: object = {}) {
  const server = { session: { ...session, ...more } };
  const asked = replyWith({
    [`GET ${path}`]: () => server.session,
    [`GET ${door}/traces/s-1`]: () => ({ id: "s-1", steps: [] }),
    ...replies,
  });
  await drawInConsole(<SessionPage />, { address: "/here/s-1" });
  return { server, asked };
}

test("the customer's link is copied and never shown: whoever has it acts as the customer", async () => {
  const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await openSession();
  expect(document.body.innerHTML).not.toContain("secret-token");
  await press("Copy the customer's link");
  expect(written).toHaveBeenCalledWith(session.url);
});

test("an order tells its items, its customer and where the money goes", async () => {
  await openSession();
  expect(document.querySelector("h1")?.textContent).toBe("₦60,000.00 for order-7");
  expect(shown()).toContain("2 × Fan₦30,000.00");
  expect(fact("Your account")).toBe("0123456789 · bank 058");
  expect(fact("Loan")).toBe("Not chosen yet");
  expect(button("Open the customer").getAttribute("href")).toBe("/env-1/customers/cu-1");
});

test("one that has ended offers neither link nor cancelling", async () => {
  await openSession({ status: "completed", url: null, loan_id: "l-1", items: [] });
  expect([hasButton("Copy the customer's link"), hasButton("Cancel the checkout")]).toEqual([false, false]);
  expect(button("Open the loan").getAttribute("href")).toBe("/env-1/checkout-loans/l-1");
  expect(shown()).toContain("The order names no items.");
});

test("an open one is cancelled, and the page shows it", async () => {
  const { server, asked } = await openSession({}, { [`POST ${path}/cancel`]: () => ({}) });
  await press("Cancel the checkout");
  server.session = { ...session, status: "cancelled", url: null };
  await settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());
  await expect.poll(() => hasButton("Cancel the checkout")).toBe(false);
  expect(asked.filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("while the customer is at it the page looks again by itself", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { server } = await openSession();
  server.session = { ...session, status: "completed", loan_id: "l-1" };
  await settle(() => vi.advanceTimersByTime(3_000));
  await expect.poll(() => hasButton("Open the loan")).toBe(true);
});

test("the list and its file hold no customer's link", async () => {
  screenIs("wide");
  const files = savedFiles();
  replyWith({ [`GET ${door}/loans/bnpl/checkout-sessions`]: pages([session]) });
  await drawInConsole(<SessionsPage />);
  expect(cells()[0]?.slice(0, 4)).toEqual(["order-7", "₦60,000.00", "Open", "Not chosen yet"]);
  await press("CSV");
  await expect.poll(() => files.has("checkout-sessions.csv")).toBe(true);
  expect(await files.get("checkout-sessions.csv")?.()).not.toContain("secret-token");
  expect(document.body.innerHTML).not.toContain("secret-token");
});
