import { expect, test } from "vitest";
import { ApiProblem } from "../shared/call-api.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { problemText } from "./problem-text.ts";
import { isOnlyPending, reasonText } from "./reason-text.ts";

function problem(code: string, detail: { data?: Record<string, unknown>; waitSeconds?: number } = {}): ApiProblem {
  const { data = {}, waitSeconds = null } = detail;
  return new ApiProblem({ status: 422, code, message: "The server's sentence.", errors: [], data, waitSeconds });
}

test.each([
  ["wrong code, several tries", problem("otp_invalid", { data: { attemptsRemaining: 3 } }), "You have 3 tries left."],
  ["wrong code, the last try", problem("otp_invalid", { data: { attemptsRemaining: 1 } }), "You have 1 try left."],
  ["wrong code, no more tries", problem("otp_invalid", { data: { attemptsRemaining: 0 } }), "no longer works"],
  ["a code too early", problem("otp_resend_too_early", { waitSeconds: 42 }), "in 42 seconds"],
  ["too many codes for now", problem("otp_limit_reached", { waitSeconds: 500 }), "in 8:20 minutes"],
  ["too many codes today", problem("otp_limit_reached", { waitSeconds: 40_000 }), "in 12 hours"],
  ["a page that was closed", problem("page_ended"), "more than a day ago"],
  ["an unknown code", problem("something_new"), "The server's sentence."],
])("%s", (_name, refused, words) => {
  expect(problemText(refused).text).toContain(words);
});

const view: CheckoutView = {
  id: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11",
  status: "open",
  step: "not_eligible",
  environment: "SANDBOX",
  merchantName: "Mama Put",
  merchantLogo: null,
  orderReference: "order-1",
  amount: 285_000,
  items: [],
  currency: "NGN",
  customer: null,
  eligibility: { eligible: false, minAmount: 5_000, maxAmount: 200_000, reasons: [] },
  offers: [],
  loan: null,
  disclosure: {
    lender: { name: "Akowe Finance", registration: "FCCPC/DML/0042", isSample: false },
    lateFee: "A late payment costs a fee.",
    conditions: ["You may pay early."],
    complaints: "Write to the lender.",
  },
  agreement: null,
  consent: null,
  card: null,
  returnUrl: "https://shop.example.com/basket",
  expiresAt: "2026-11-16T09:00:00.000Z",
  now: "2026-11-15T09:00:00.000Z",
};

function refusedFor(...codes: string[]): CheckoutView {
  return { ...view, eligibility: { ...view.eligibility, reasons: codes.map((code) => ({ code, message: "" })) } };
}

test("reasons are said to the customer, with amounts as people write them", () => {
  const outside = reasonText(view, { code: "amount_out_of_band", message: "" });
  expect(outside).toContain("₦285,000");
  expect(outside).toContain("between ₦5,000 and ₦200,000");
  expect(reasonText(view, { code: "not_eligible", message: "" })).toContain("Mama Put");
});

test("every reason that a page hears has words of its own", () => {
  for (const code of ["kyc_pending", "not_eligible", "amount_out_of_band"]) {
    expect(reasonText(view, { code, message: "fallback" })).not.toBe("fallback");
  }
  expect(reasonText(view, { code: "brand_new", message: "fallback" })).toBe("fallback");
});

test.each(["constructor", "toString", "__proto__"])(
  "a reason that is called %s is told in the server's words",
  (code) => {
    expect(reasonText(view, { code, message: "fallback" })).toBe("fallback");
    expect(problemText(problem(code)).text).toBe("The server's sentence.");
  },
);

test("the page waits only where waiting helps", () => {
  expect(isOnlyPending(refusedFor("kyc_pending"))).toBe(true);
  expect(isOnlyPending(refusedFor("kyc_pending", "not_eligible"))).toBe(false);
  expect(isOnlyPending(refusedFor("not_eligible"))).toBe(false);
  expect(isOnlyPending({ ...refusedFor("kyc_pending"), step: "offer" })).toBe(false);
});
