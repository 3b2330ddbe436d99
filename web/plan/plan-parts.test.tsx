/** The parts of a plan's page, drawn from what the server says. */
import { describe, expect, test } from "vitest";
import { ApiProblem } from "../shared/call-api.ts";
import { shownText } from "../shared/shown-text.ts";
import { PaymentList } from "./payment-list.tsx";
import { PlanSchedule } from "./plan-schedule.tsx";
import type { Charge, Instalment, Payment, PlanView } from "./plan-view.ts";
import { problemText } from "./problem-text.ts";
import { Receipt } from "./receipt.tsx";
import { StatusPanel } from "./status-panel.tsx";
import type { Plan } from "./use-plan.ts";

const instalment: Instalment = {
  number: 1,
  dueDate: "2026-12-05",
  amount: 21_000,
  lateFee: 0,
  paid: 0,
  balance: 21_000,
  status: "pending",
};
const payment: Payment = {
  id: "01932c5f-1b2c-7d3e-8f40-5a6b7c8d9e0f",
  amount: 21_000.5,
  paidAt: "2026-11-05T09:30:00.000Z",
  channel: "card",
  card: { brand: "visa", last4: "4081" },
  principal: 20_000,
  interest: 1_000.5,
  fees: 0,
  credit: 0,
  refunded: 0,
  status: "successful",
};
const charge: Charge = {
  amount: 21_000,
  status: "failed",
  kind: "collection",
  startedAt: "2026-12-05T05:00:00.000Z",
  reason: "Not enough money.",
  confirmUrl: null,
};
const view: PlanView = {
  reference: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11",
  status: "active",
  environment: "SANDBOX",
  merchantName: "Balogun Home",
  merchantLogo: null,
  orderReference: "order-7",
  customer: { name: "Ada Obi", firstName: "Ada", phone: "*******4567" },
  startedAt: "2026-11-05T09:00:00.000Z",
  amount: 60_000,
  tenor: 3,
  interestRate: 2.5,
  annualRate: 54.3,
  totalInterest: 4_500,
  totalFees: 0,
  lateFees: 0,
  totalRepayment: 64_500,
  paid: 0,
  balance: 64_500,
  credit: 0,
  next: { number: 1, amount: 21_000, dueDate: "2026-12-05", isLate: false },
  due: 0,
  settlement: 64_500,
  canPay: true,
  schedule: [instalment],
  card: { brand: "visa", last4: "4081", expMonth: 12, expYear: 2028 },
  charge: null,
  payments: [],
  disclosure: {
    lender: { name: "Akowe Finance Ltd", registration: "FCCPC/DML/0042", isSample: false },
    lateFee: "A late fee of ₦500.",
    conditions: [],
    complaints: "help@akowe.example",
  },
  expiresAt: "2026-11-05T10:30:00.000Z",
  now: "2026-11-05T09:30:00.000Z",
};

const plan: Plan = {
  view,
  failure: null,
  problem: null,
  busy: null,
  act: async () => ({ taken: true, problem: null }),
  reload: async () => undefined,
};

const refused = (code: string, data: Record<string, unknown> = {}) =>
  new ApiProblem({ status: 422, code, message: "The server's sentence.", errors: [], data, waitSeconds: 90 });

function panel(change: Partial<PlanView> = {}, acting: Partial<Plan> = {}): string {
  const shown = { ...view, ...change };
  return shownText(<StatusPanel plan={{ ...plan, ...acting }} view={shown} onReceipt={() => undefined} />);
}

describe("what comes next", () => {
  const late = { number: 1, amount: 21_500, dueDate: "2026-12-05", isLate: true };

  test.each([
    ["a payment to come", {}, ["Next payment: ₦21,000", "Hello Ada", "Taken on", "Visa card ending 4081", "Pay early"]],
    ["no card", { card: null }, ["No card yet", "Add a card"]],
    ["a late payment", { next: late, due: 21_000 }, ["₦21,000 is late", "avoid a late fee", "Was due on", "Pay now"]],
    [
      "a late payment with its fee",
      { next: late, due: 21_500, schedule: [{ ...instalment, lateFee: 500 }] },
      ["₦21,500 is late", "A late fee of ₦500 is in it."],
    ],
    ["the end", { next: null, canPay: false }, ["All paid", "Nothing is left to pay at Balogun Home"]],
    ["a loss", { status: "written_off", next: null }, ["This plan was closed unpaid", "Write to the lender"]],
    ["a payout that came back", { canPay: false }, ["Your plan is on hold", "nothing is taken from your card"]],
    [
      "a charge under way",
      { charge: { ...charge, status: "processing" as const } },
      ["Your payment is under way", "We are asking your bank for ₦21,000"],
    ],
    [
      "a charge that the bank wants confirmed",
      { charge: { ...charge, status: "processing" as const, confirmUrl: "https://bank.example/confirm" } },
      ["Your bank asks about ₦21,000", "Nothing is taken before", "Confirm this payment with your bank"],
    ],
    ["a declined charge", { charge, due: 21_000 }, ["Your bank declined ₦21,000", "Not enough money."]],
    [
      "a declined charge without a reason",
      { charge: { ...charge, reason: null }, due: 21_000 },
      ["The bank gave no reason."],
    ],
  ])("%s", (_, change, words) => {
    for (const word of words) expect(panel(change)).toContain(word);
  });

  test("says nothing of an old decline when nothing is due", () => {
    expect(panel({ charge })).not.toContain("declined");
  });

  test("offers no payment while one is under way", () => {
    expect(panel({ charge: { ...charge, status: "processing" } })).not.toContain("Pay early");
  });

  test("tells why the last action was refused", () => {
    expect(panel({}, { problem: refused("charge_in_progress") })).toContain("A payment is under way");
  });
});

describe("all payments", () => {
  const states: readonly (readonly [Instalment["status"], string])[] = [
    ["paid", "Paid"],
    ["overdue", "Late"],
    ["partially_paid", "Partly paid"],
    ["pending", "Next"],
  ];

  test.each(states)("one that is %s", (status, word) => {
    const text = shownText(<PlanSchedule view={{ ...view, schedule: [{ ...instalment, status }] }} />);
    expect(text).toContain(`${word} ₦21,000.00`);
  });

  test("names the late fee and what is still open", () => {
    const item = { ...instalment, status: "partially_paid" as const, lateFee: 500, paid: 1_000, balance: 20_500 };
    const text = shownText(<PlanSchedule view={{ ...view, schedule: [item] }} />);
    expect(text).toContain("with ₦500 late fee, ₦20,500 still open");
  });

  test("only the next one is called so", () => {
    const schedule = [instalment, { ...instalment, number: 2, dueDate: "2027-01-05" }];
    expect(shownText(<PlanSchedule view={{ ...view, schedule }} />)).toMatch(/Next .* Planned/);
  });
});

describe("receipts", () => {
  const list = (payments: readonly Payment[]) =>
    shownText(<PaymentList payments={payments} onOpen={() => undefined} />);

  test("say what will be here while there are none", () => {
    expect(list([])).toContain("Every payment will have its receipt here");
  });

  test.each([
    ["a card", payment, "Visa card ending 4081"],
    ["the shop's wallet", { ...payment, card: null, channel: "wallet" }, "Through the shop"],
    ["cash", { ...payment, card: null, channel: "cash" }, "In cash at the shop"],
    ["a way that is new", { ...payment, card: null, channel: "cheque" }, "Paid"],
    ["a card, taken back", { ...payment, status: "reversed" as const }, "Visa card ending 4081, taken back"],
  ])("name %s", (_, one, words) => {
    expect(list([one])).toContain(words);
  });

  test("show each part that is not zero, and who lent the money", () => {
    const one = { ...payment, fees: 0, credit: 250 };
    const text = shownText(<Receipt view={view} payment={one} onBack={() => undefined} />);
    for (const words of ["₦21,000.50", "From Akowe Finance Ltd to Ada Obi", "Order ₦20,000.00", "Interest ₦1,000.50"]) {
      expect(text).toContain(words);
    }
    expect(text).toContain("More than was owed ₦250.00");
    expect(text).not.toContain("Fees");
    expect(text).not.toContain("Given back since");
  });

  test("say when the payment was taken back", () => {
    const one = { ...payment, status: "reversed" as const };
    expect(shownText(<Receipt view={view} payment={one} onBack={() => undefined} />)).toContain("no longer counts");
  });
});

describe("refusals", () => {
  test.each([
    ["page_ended", {}, "The shop can send you a new one."],
    ["card_declined", { reason: { message: "Do not honour" } }, "Do not honour. Nothing was taken."],
    ["card_declined", {}, "Nothing was taken. Try again later"],
    ["card_charge_too_soon", {}, "in 1:30 minutes"],
    ["balance_changed", {}, "Look at what is left to pay now"],
    ["amount_out_of_band", {}, "Choose a smaller amount."],
    ["unreachable", {}, "nothing is taken twice"],
    ["something_new", {}, "The server's sentence."],
  ])("%s with %j", (code, data, words) => {
    expect(problemText(refused(code, data)).text).toContain(words);
  });
});
