/** Every step of the checkout, drawn from what the server says. */
import { describe, expect, test } from "vitest";
import { ApiProblem } from "../shared/call-api.ts";
import { shownText } from "../shared/shown-text.ts";
import type { CheckoutView, Plan, Step } from "./checkout-view.ts";
import { CurrentStep } from "./current-step.tsx";
import { OrderSummary } from "./order-summary.tsx";
import { PlanDetails } from "./plan-details.tsx";
import { problemText } from "./problem-text.ts";
import type { Checkout } from "./use-checkout.ts";

const plan: Plan = {
  tenor: 3,
  interestRate: 2.5,
  annualRate: 54.3,
  installmentAmount: 21_500,
  totalInterest: 4_500,
  totalFees: 0,
  totalRepayment: 64_500,
  schedule: [
    { number: 1, dueDate: "2026-12-05", amountDue: 21_500, principal: 20_000, interest: 1_500, fees: 0 },
    { number: 2, dueDate: "2027-01-05", amountDue: 21_500, principal: 20_000, interest: 1_500, fees: 0 },
    { number: 3, dueDate: "2027-02-05", amountDue: 21_500, principal: 20_000, interest: 1_500, fees: 0 },
  ],
};
const once: Plan = { ...plan, tenor: 1, totalRepayment: 61_500, schedule: plan.schedule.slice(0, 1) };
const view: CheckoutView = {
  id: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11",
  status: "open",
  step: "offer",
  environment: "SANDBOX",
  merchantName: "Balogun Home",
  merchantLogo: null,
  orderReference: "order-7",
  amount: 60_000,
  items: [],
  currency: "NGN",
  customer: null,
  eligibility: { eligible: true, minAmount: 5_000, maxAmount: 200_000, reasons: [] },
  offers: [once, plan],
  loan: null,
  disclosure: {
    lender: { name: "Akowe Finance Ltd", registration: "FCCPC/DML/0042", isSample: false },
    lateFee: "A late fee of ₦500 falls due after 3 days.",
    conditions: ["You may pay early."],
    complaints: "help@akowe.example",
  },
  agreement: { version: "1", statement: "I have read the terms and agree.", termsHash: "abc" },
  consent: null,
  card: null,
  returnUrl: "https://balogun.example/done",
  expiresAt: "2026-11-05T10:00:00.000Z",
  now: "2026-11-05T09:30:00.000Z",
};
const checkout: Checkout = {
  view,
  failure: null,
  problem: null,
  busy: null,
  act: async () => ({ taken: true, problem: null }),
  reload: async () => undefined,
};
const nothing = () => undefined;

function drawn(step: Step, change: Partial<CheckoutView> = {}, chosen: Plan | null = plan): string {
  const shown = { ...view, ...change };
  return shownText(
    <CurrentStep
      step={step}
      view={shown}
      checkout={checkout}
      wide={false}
      plan={chosen}
      choose={nothing}
      changePlan={nothing}
    />,
  );
}

describe("the offer", () => {
  test("shows the months, each payment, the total and to whom it is owed", () => {
    const text = drawn("offer");
    for (const words of ["1 month", "3 months", "₦21,500", "₦64,500 in total", "Akowe Finance Ltd"]) {
      expect(text).toContain(words);
    }
    expect(text).toContain("Continue with 3 months");
  });

  test("goes on only with a choice", () => {
    expect(drawn("offer", {}, null)).toMatch(/Continue$/);
    expect(drawn("offer", {}, once)).toContain("Continue with 1 month");
  });
});

describe("the plan", () => {
  const details = (of: Plan) => shownText(<PlanDetails view={view} plan={of} listed={true} />);

  test("says total and lender first, then the rates, as a flat rate and by the year", () => {
    const text = details(plan);
    expect(text).toMatch(/^You repay in total ₦64,500 to Akowe Finance Ltd FCCPC\/DML\/0042/);
    for (const words of ["Interest, 2.5% a month, flat ₦4,500", "Yearly rate (APR) 54.3%", "Fees None", "A late fee"]) {
      expect(text).toContain(words);
    }
    expect(text).toContain("All 3 payments");
  });

  test("of one month has one payment", () => {
    expect(details(once)).toContain("The payment in detail");
  });

  test("has a column for fees only where there are any", () => {
    const heads = (of: Plan) => details(of).includes("Interest Fees Payment");
    expect(heads(plan)).toBe(false);
    const [first] = plan.schedule;
    if (first === undefined) throw new Error("a plan without a payment");
    expect(heads({ ...plan, totalFees: 100, schedule: [{ ...first, fees: 100 }] })).toBe(true);
  });
});

describe("consent", () => {
  test("asks for the tick before a code is sent", () => {
    const text = drawn("consent");
    expect(text).toContain("Check your plan");
    expect(text).toContain("I have read the terms and agree.");
    expect(text).toContain("Send me the code");
  });

  test("asks for the code once it is on its way, under the same text", () => {
    const consent = {
      sentAt: view.now,
      expiresAt: "2026-11-05T09:35:00.000Z",
      resendAt: "2026-11-05T09:31:00.000Z",
      attemptsRemaining: 5,
    };
    const text = drawn("consent", { consent });
    expect(text).toContain("Agree and continue");
    expect(text).toContain("What you agree to I have read the terms and agree.");
  });

  test("shows nothing without terms", () => {
    expect(drawn("consent", { agreement: null })).toBe("");
    expect(drawn("consent", {}, null)).toBe("");
  });
});

describe("afterwards", () => {
  const loan = { ...plan, id: "l", status: "active" };
  const card = { brand: "visa", last4: "4081", expMonth: 12, expYear: 2028 };

  test.each<readonly [Step, Partial<CheckoutView>, readonly string[]]>([
    ["card", { loan }, ["Nothing is taken today.", "The first ₦21,500", "Balogun Home never sees your card number."]],
    ["completed", { loan, card }, ["Your order is paid", "received ₦60,000", "Taken from Visa card ending 4081"]],
    ["completed", {}, ["Your order is paid", "Return to Balogun Home"]],
    ["expired", {}, ["This checkout has expired", "Nothing was charged"]],
    ["cancelled", {}, ["You cancelled this checkout", "in a few seconds"]],
  ])("%s", (step, change, words) => {
    for (const word of words) expect(drawn(step, change)).toContain(word);
  });

  test("a refusal gives its reasons, and a pending check says so", () => {
    const reasons = (code: string) => ({ eligibility: { ...view.eligibility, reasons: [{ code, message: "Why." }] } });
    const refused = drawn("not_eligible", { step: "not_eligible", ...reasons("amount_out_of_band") });
    expect(refused).toContain("We cannot offer you a plan for this order");
    expect(refused).toContain("between ₦5,000 and ₦200,000");
    const pending = drawn("not_eligible", { step: "not_eligible", ...reasons("kyc_pending") });
    expect(pending).toContain("We are checking your details");
  });
});

describe("the order", () => {
  const summary = (change: Partial<CheckoutView>) =>
    shownText(<OrderSummary view={{ ...view, ...change }} plan={null} listed={false} />);
  const item = { name: "Fan", quantity: 1, amount: 20_000 };

  test("names the shop, the price and each line", () => {
    const text = summary({ items: [item, { ...item, name: "Lamp", quantity: 2 }] });
    for (const words of ["Balogun Home", "₦60,000", "Order order-7", "Fan", "2 × Lamp"]) expect(text).toContain(words);
  });

  test("folds a long list away", () => {
    expect(summary({ items: Array.from({ length: 5 }, () => item) })).toContain("5 items");
  });
});

describe("refusals that are the shop's affair", () => {
  test.each(["account_not_found", "account_number_invalid", "bank_unavailable", "rail_not_configured"])(
    "%s",
    (code) => {
      const refusal = { status: 503, code, message: "For developers.", errors: [], data: {}, waitSeconds: null };
      expect(problemText(new ApiProblem(refusal)).text).toContain("tell the shop");
    },
  );
});
