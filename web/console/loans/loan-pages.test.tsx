/** A loan's page: its figures, how they came about, and the sandbox's lender. */
import { afterEach, expect, test, vi } from "vitest";
import { field, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { type Asked, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { cells, fact, pages, queryOf, savedFiles, screenIs } from "../testing/lists.ts";
import type { LoanDetails, LoanRequest } from "./loan.ts";
import { LoanPage } from "./loan-page.tsx";
import { LoansPage } from "./loans-page.tsx";
import type { Repayment } from "./repayments-panel.tsx";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const request: LoanRequest = {
  id: "l-1",
  amount: "50000.00",
  tenure: 3,
  tenure_type: "monthly",
  bank_name: "GTBank",
  account_number: "0123456789",
  account_name: "ADA OBI",
  reference: "loan-1",
  status: "active",
  created_at: "2026-11-16T23:30:00.000Z",
  daas_user: {
    first_name: "Ada",
    last_name: "<b>Obi</b>",
    phone: "+2348031234567",
    bvn: "*******6770",
    nin: "*******5678",
  },
};
const details: LoanDetails = {
  balance: 34_000.5,
  next_repayment_amount: 17_500,
  to_repay: 35_000,
  total_interest: 2_500,
  total_repayment: 52_500,
  credit: 0,
  interest_rate: 2.5,
  next_due_date: "2026-12-16T22:59:59.999Z",
  schedules: [
    {
      id: "i-1",
      installment_number: 1,
      due_date: "2026-12-16T22:59:59.999Z",
      principal: 16_666.67,
      interest: 833.33,
      fees: 0,
      amount_due: 17_500,
      late_fee: 500,
      amount_paid: 100.25,
      balance: 17_899.75,
      status: "overdue",
    },
  ],
};
const repayment: Repayment = {
  id: "r-1",
  reference: "repay-1",
  channel: "wallet",
  amount: 5_000,
  refunded: 0,
  status: "successful",
  created_at: "2026-11-16T23:30:00.000Z",
  reversal_reason: null,
};
const reversed = { ...repayment, id: "r-3", status: "reversed", reversal_reason: "A wrong entry" };
const explanation = {
  value: 35_000,
  steps: [
    {
      name: "sum",
      words: "What is open of all instalments",
      operation: "add",
      inputs: [{ name: "first", value: "17500.00" }],
      rounding: "half to even",
      result: "35000.00",
    },
  ],
};

async function open(
  more: Partial<LoanRequest> = {},
  loanDetails: LoanDetails | null = details,
  where: Parameters<typeof drawInConsole>[1] = {},
) {
  const server = { loan: { loan_request: { ...request, ...more }, loan_details: loanDetails } };
  const asked = replyWith({
    [`GET ${door}/loans/l-1/explain`]: () => explanation,
    [`GET ${door}/loans/l-1`]: () => server.loan,
    [`GET ${door}/loans/l-1/repayments`]: pages([repayment, { ...repayment, id: "r-2", refunded: 10 }, reversed]),
    [`POST ${door}/loans/l-1`]: () => ({}),
    [`GET ${door}/traces/l-1`]: () => ({ id: "l-1", steps: [] }),
    [`POST ${door}/sandbox/loans/l-1`]: () => ({}),
    [`POST ${door}/loans/l-1/reveal`]: () => ({ bvn: "22123456770", nin: "12345675678" }),
  });
  await drawInConsole(<LoanPage />, { address: "/here/l-1", ...where });
  return { server, asked };
}

test("every figure of a loan stands to the kobo, also where the API sends text", async () => {
  await open();
  expect(document.querySelector("h1")?.textContent).toBe("₦50,000.00 for Ada <b>Obi</b>");
  expect(["Balance", "To repay in all", "Interest in all", "Interest per period"].map(fact)).toEqual([
    "₦34,000.50",
    "₦52,500.00",
    "₦2,500.00",
    "2.5 %",
  ]);
});

test("what is overdue comes first, in the colour of danger, and what is due next beside it", async () => {
  const [late] = details.schedules;
  const next = { ...late, id: "i-2", status: "pending", balance: 16_101, due_date: "2027-01-16T22:59:59.999Z" };
  await open({ status: "overdue" }, { ...details, schedules: [late, next] as typeof details.schedules });
  const figures = [...document.querySelectorAll("[aria-label='Where the loan stands'] dl")];
  expect(figures.map((each) => each.textContent)).toEqual([
    "Overdue₦17,899.751 instalment, since 16 Dec 2026",
    "Next due₦16,101.0016 Jan 2027",
    "Balance₦34,000.50Still to repay in all",
  ]);
  expect(figures.map((each) => each.getAttribute("data-tone"))).toEqual(["danger", null, null]);
  expect(document.querySelectorAll("tr[data-late]")).toHaveLength(1);
});

test("a long schedule is folded, and unfolds", async () => {
  const schedules = Array.from({ length: 36 }, (_, at) => ({
    ...details.schedules[0],
    id: `i-${at}`,
    installment_number: at + 1,
    status: "pending",
  }));
  await open({}, { ...details, schedules: schedules as unknown as typeof details.schedules });
  expect(cells()).toHaveLength(12);
  await press("Show all 36 instalments");
  expect(cells()).toHaveLength(36);
});

const posts = (asked: readonly Asked[]) =>
  asked.filter(({ method }) => method === "POST").map(({ path, body }) => [path.slice(door.length), body]);
const submit = () => settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());

test("a repayment is recorded with amount, channel and reference", async () => {
  const { asked } = await open({ status: "overdue" });
  await press("Record repayment");
  expect(field("Amount in naira").value).toBe("17899.75");
  expect(field("Reference").value).toMatch(/^repay-[0-9a-f-]{13}$/);
  await type("Amount in naira", "₦10,000.50");
  await type("How the borrower paid", "bank_transfer");
  await type("Reference", "bank-77");
  expect(posts(asked)).toEqual([]);
  await submit();
  await expect
    .poll(() => posts(asked))
    .toEqual([["/loans/l-1/repayments", { amount: 10_000.5, channel: "bank_transfer", reference: "bank-77" }]]);
  await expect.poll(() => document.querySelector("[role=dialog]")).toBeNull();
});

test("a repayment is reversed with its reason; one that is reversed or refunded is not", async () => {
  const { asked } = await open();
  expect(shown()).toContain("₦5,000.00Successful");
  await press("Reverse");
  await type("Reason", "The transfer bounced");
  await submit();
  await expect
    .poll(() => posts(asked))
    .toEqual([["/loans/l-1/repayments/r-1/reverse", { reason: "The transfer bounced" }]]);
});

test("credit is refunded the way it was paid", async () => {
  const { asked } = await open({ status: "completed" }, { ...details, credit: 120.5 });
  await press("Refund credit");
  expect(field("Amount in naira").value).toBe("120.5");
  await type("How it was paid", "cash");
  await type("Reference", "credit-1");
  await submit();
  await expect
    .poll(() => posts(asked))
    .toEqual([["/loans/l-1/credit/refund", { amount: 120.5, channel: "cash", reference: "credit-1" }]]);
});

test("a loan that is not paid out yet is cancelled", async () => {
  const { asked } = await open({ status: "approved" }, null);
  await press("Cancel loan");
  await submit();
  await expect.poll(() => posts(asked)).toEqual([["/loans/l-1/cancel", {}]]);
});

test.each([
  ["owner", "active", ["Record repayment"]],
  ["finance", "overdue", ["Record repayment"]],
  ["owner", "pending", ["Cancel loan"]],
  ["owner", "disbursed", []],
  ["owner", "completed", []],
  ["developer", "active", []],
  ["support", "pending", []],
] as const)("%s of a loan that is %s is offered %o", async (role, status, offered) => {
  await open({ status }, details, { role });
  expect(["Record repayment", "Refund credit", "Cancel loan"].filter(hasButton)).toEqual(offered);
});

test("an approved loan of a sandbox is paid out now", async () => {
  const { asked } = await open({ status: "approved" }, null);
  await press("Disburse");
  await submit();
  await expect.poll(() => posts(asked)).toEqual([["/sandbox/loans/l-1/disburse", {}]]);
});

test("an instalment's line has its late fee and what is still open", async () => {
  await open();
  expect(cells()).toEqual([
    ["1", "16 Dec 2026", "Overdue", "₦16,666.67", "₦833.33", "₦500.00", "₦17,500.00", "₦100.25", "₦17,899.75"],
  ]);
});

test("a loan that was only asked for has no figures yet, and no schedule", async () => {
  await open({ status: "pending", bank_name: null }, null);
  expect([fact("To repay in all"), fact("Interest per period")]).toEqual(["–", "–"]);
  expect(shown()).not.toContain("Overdue");
  expect(fact("Paid to")).toBe("0123456789 · no bank");
  expect(shown()).not.toContain("Schedule");
  expect(shown()).not.toContain("Explain a figure");
});

test("a figure is explained step by step, and another one on demand", async () => {
  const { asked } = await open();
  expect(shown()).toContain("What is open of all instalmentsfirst 17500.00 · rounded half to even35000.00");
  await type("Figure", "total_interest");
  await expect
    .poll(() => asked.filter(({ path }) => path.includes("/explain")).map((each) => queryOf(each)["field"]))
    .toEqual(["to_repay", "total_interest"]);
});

test.each([
  ["SANDBOX", "pending", true],
  ["SANDBOX", "approved", false],
  ["SANDBOX", "active", false],
  ["LIVE", "pending", false],
] as const)("in %s a loan that is %s is decided on its page: %s", async (kind, status, can) => {
  await open({ status }, null, { kind });
  expect(["Approve", "Reject"].filter(hasButton)).toEqual(can ? ["Approve", "Reject"] : []);
});

test.each(["approve", "reject"])("the sandbox's lender can %s", async (what) => {
  const { asked } = await open({ status: "pending" }, null);
  await press(what === "approve" ? "Approve" : "Reject");
  await settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());
  await expect.poll(() => asked.filter(({ method }) => method === "POST")).toHaveLength(1);
  expect(asked.find(({ method }) => method === "POST")?.path).toBe(`${door}/sandbox/loans/l-1/${what}`);
});

test("BVN and NIN are masked until an owner reveals them", async () => {
  const { asked } = await open();
  expect([fact("BVN"), fact("NIN")]).toEqual(["*******6770", "*******5678"]);
  await press("Reveal BVN and NIN");
  expect(shown()).not.toContain("22123456770");
  await settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());
  await expect.poll(shown).toContain("22123456770");
  expect(shown()).toContain("12345675678");
  expect(asked.find(({ method }) => method === "POST")?.path).toBe(`${door}/loans/l-1/reveal`);
});

test.each([
  ["owner", true],
  ["finance", true],
  ["developer", false],
  ["support", false],
  ["viewer", false],
])("%s is offered to reveal them: %s", async (role, can) => {
  await open({}, details, { role });
  expect(hasButton("Reveal BVN and NIN")).toBe(can);
});

test("a loan on its way is looked at until its money is out", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { server, asked } = await open({ status: "approved" }, null);
  server.loan = { loan_request: request, loan_details: details };
  await settle(() => vi.advanceTimersByTime(3_000));
  await expect.poll(shown).toContain("Schedule");
  const reads = () => asked.filter(({ path }) => path === `${door}/loans/l-1`).length;
  const before = reads();
  await settle(() => vi.advanceTimersByTime(60_000));
  expect(reads()).toBe(before);
});

test("a loan of nobody we know is not found", async () => {
  replyWith({ [`GET ${door}/loans/l-1`]: () => refuse(404, "loan_not_found", { message: "No such loan." }) });
  await drawInConsole(<LoanPage />, { address: "/here/l-1" });
  expect(shown()).toContain("No such loan.");
});

test("the list asks page by page where the API does not count, and its file has numbers", async () => {
  screenIs("wide");
  const files = savedFiles();
  replyWith({
    [`GET ${door}/loans?`]: () => Response.json({ data: [request], meta: { next_page: null } }),
  });
  await drawInConsole(<LoansPage />);
  expect(cells()[0]).toEqual([
    "Ada <b>Obi</b>",
    "₦50,000.00",
    "Active",
    "3 · monthly",
    "0123456789 · GTBank",
    "17 Nov 2026 00:30:00",
  ]);
  expect(shown()).toContain("Newest first");
  await press("CSV");
  await expect.poll(() => files.has("loans.csv")).toBe(true);
  expect(await files.get("loans.csv")?.()).toContain("l-1,Ada <b>Obi</b>,active,50000,3,monthly,");
});

test("before the first loan the page teaches how to ask for one", async () => {
  replyWith({ [`GET ${door}/loans?`]: pages([]) });
  await drawInConsole(<LoansPage />);
  expect(shown()).toContain("npx jara loans create");
});
