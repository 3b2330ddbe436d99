/**
 * The checkout as its customer uses it: what each step sends, and where each reply leads.
 */
import { describe, expect, test } from "vitest";
import { button, draw, hasButton, press, settle, shown, type } from "../testing/draw.tsx";
import {
  disclosure,
  hostedUntil,
  openHosted,
  type Replies,
  sentCode,
  setting,
  visitAsCustomer,
} from "../testing/hosted-page.tsx";
import { brokenLine, refuse, replyWith } from "../testing/replies.ts";
import { CheckoutPage } from "./checkout-page.tsx";
import type { CheckoutView, Plan, Step } from "./checkout-view.ts";

const left = visitAsCustomer();

const plan = (tenor: number): Plan => ({
  tenor,
  interestRate: 2.5,
  annualRate: 54.3,
  installmentAmount: 60_000 / tenor,
  totalInterest: 4_500,
  totalFees: 0,
  totalRepayment: 64_500,
  schedule: [{ number: 1, dueDate: "2026-12-05", amountDue: 21_500, principal: 20_000, interest: 1_500, fees: 0 }],
});
const view: CheckoutView = {
  ...setting,
  id: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11",
  status: "open",
  step: "offer",
  merchantName: "Balogun <b>Home</b>",
  orderReference: "order-7",
  amount: 60_000,
  items: [],
  currency: "NGN",
  customer: null,
  eligibility: { eligible: true, minAmount: 5_000, maxAmount: 200_000, reasons: [] },
  offers: [plan(1), plan(3), plan(6)],
  loan: null,
  disclosure,
  agreement: { version: "1", statement: "I agree to repay.", termsHash: "hash-1" },
  consent: null,
  card: null,
  returnUrl: "https://balogun.example/back",
  expiresAt: hostedUntil,
};
const loan = { ...plan(3), id: "l-1", status: "pending" };
const at = (step: Step, more: Partial<CheckoutView> = {}): CheckoutView => ({
  ...view,
  step,
  loan: step === "offer" ? null : loan,
  ...more,
});

/** The server's side: where the customer is, and what an action makes of it. */
async function open(first: CheckoutView, actions: Replies = {}) {
  const posts = Object.entries(actions).map(([name, act]) => [`POST /hosted/checkout/${name}`, act] as const);
  const opened = await openHosted(<CheckoutPage token="t" />, "/hosted/checkout", first, Object.fromEntries(posts));
  return { ...opened, sent: () => opened.sent().map(({ path, body }) => [path, body]) };
}
const choose = (tenor: number) =>
  settle(() => document.querySelector<HTMLInputElement>(`input[value="${tenor}"]`)?.click());
const tick = () => settle(() => document.querySelector<HTMLInputElement>("#agree")?.click());

test("three months are chosen at first, and what is chosen is sent once", async () => {
  const { sent } = await open(at("offer"), { terms: () => at("consent") });
  expect(hasButton("Continue with 3 months")).toBe(true);
  await choose(1);
  await press("Continue with 1 month");
  expect(sent()).toEqual([["/hosted/checkout/terms", { tenor: 1 }]]);
  expect(shown()).toContain("Check your plan");
});

test("else the first offer is chosen, and without offers nothing can be sent", async () => {
  await open(at("offer", { offers: [plan(6)] }));
  expect(hasButton("Continue with 6 months")).toBe(true);
  const { sent } = await open(at("offer", { offers: [] }));
  expect(button("Continue").getAttribute("aria-disabled")).toBe("true");
  await press("Continue");
  expect(sent()).toEqual([]);
});

describe("agreeing", () => {
  test("needs the tick: without it no code is asked for, and the box is pointed at", async () => {
    const { sent } = await open(at("consent"), { "consent/request": () => at("consent", { consent: sentCode }) });
    await press("Send me the code");
    expect(sent()).toEqual([]);
    expect(shown()).toContain("Tick the box if you agree.");
    expect(document.activeElement?.id).toBe("agree");
    await tick();
    await press("Send me the code");
    expect(sent()).toEqual([["/hosted/checkout/consent/request", { agreed: true, termsHash: "hash-1" }]]);
    expect(shown()).toContain("Type the code we sent you");
  });

  test("to other terms is another question: the tick does not stay", async () => {
    const moved = at("consent", { agreement: { version: "1", statement: "New dates.", termsHash: "hash-2" } });
    const { server } = await open(at("consent"), { "consent/request": () => refuse(409, "consent_terms_changed") });
    await tick();
    server.view = moved;
    await press("Send me the code");
    expect(shown()).toContain("Your payment dates have moved");
    expect(document.querySelector<HTMLInputElement>("#agree")?.checked).toBe(false);
  });

  test("can be put off: another plan is chosen, and the terms are asked for again", async () => {
    const { sent } = await open(at("consent"), { terms: () => at("consent") });
    await press("Choose another plan");
    expect(hasButton("Continue with 3 months")).toBe(true);
    await choose(6);
    await press("Continue with 6 months");
    expect(sent()).toEqual([["/hosted/checkout/terms", { tenor: 6 }]]);
    expect(shown()).toContain("Check your plan");
  });

  test("a right code leads on, a wrong one says how many tries are left", async () => {
    let right = false;
    const verify = () => (right ? at("card") : refuse(422, "otp_invalid", { data: { attemptsRemaining: 2 } }));
    const { sent } = await open(at("consent", { consent: sentCode }), { "consent/verify": verify });
    await type("6-digit code", "111111");
    await press("Agree and continue");
    expect(shown()).toContain("You have 2 tries left.");
    right = true;
    await type("6-digit code", "123456");
    await press("Agree and continue");
    expect(sent().map(([, body]) => body)).toEqual([{ otp: "111111" }, { otp: "123456" }]);
    expect(shown()).toContain("Add the card for your payments");
  });

  test("on another device meanwhile is no mistake", async () => {
    const { server } = await open(at("consent", { consent: sentCode }), {
      "consent/verify": () => refuse(409, "consent_given"),
    });
    server.view = at("card");
    await type("6-digit code", "123456");
    await press("Agree and continue");
    expect(shown()).toContain("Add the card for your payments");
    expect(document.querySelector("[role=alert]")).toBeNull();
  });
});

test("the card is added on its own page", async () => {
  await open(at("card"), { "card-link": () => ({ url: "/card-links/1#t" }) });
  await press("Add a card");
  expect(left()).toEqual(["/card-links/1#t"]);
});

test.each<[Step, boolean]>([
  ["offer", true],
  ["consent", true],
  ["card", true],
  ["processing", false],
  ["completed", false],
  ["expired", false],
  ["cancelled", false],
])("at the step %s the checkout can be cancelled: %s", async (step, can) => {
  const status = step === "completed" || step === "expired" || step === "cancelled" ? step : "open";
  const { sent } = await open(at(step, { status }), { cancel: () => at("cancelled", { status: "cancelled" }) });
  const name = "Cancel and return to Balogun <b>Home</b>";
  expect(hasButton(name)).toBe(can);
  if (!can) return;
  await press(name);
  expect(sent()).toEqual([["/hosted/checkout/cancel", undefined]]);
  expect(shown()).toContain("You cancelled this checkout");
});

test("who cannot have a plan is told why, and led back", async () => {
  const reasons = [{ code: "amount_out_of_band", message: "" }];
  const refused = at("not_eligible", { loan: null, eligibility: { ...view.eligibility, eligible: false, reasons } });
  const { sent } = await open(refused, { cancel: () => at("cancelled", { status: "cancelled" }) });
  expect(shown()).toContain("Orders between ₦5,000 and ₦200,000 can be paid this way.");
  await press("Return to Balogun <b>Home</b>");
  expect(sent()).toEqual([["/hosted/checkout/cancel", undefined]]);
});

test("a merchant's name is text", async () => {
  await open(at("offer"));
  expect(document.querySelector("b")).toBeNull();
});

test("a broken line at an action promises that nothing was charged, and the same button works again", async () => {
  let broken = true;
  await open(at("offer"), { terms: () => (broken ? brokenLine() : at("consent")) });
  await press("Continue with 3 months");
  expect(shown()).toContain("You have not been charged.");
  broken = false;
  await press("Continue with 3 months");
  expect(shown()).toContain("Check your plan");
  expect(document.querySelector("[role=alert]")).toBeNull();
});

test("an address without its token, or with a strange one, opens nothing and offers no retry", async () => {
  await draw(<CheckoutPage token={null} />);
  expect(shown()).toContain("This link does not work");
  replyWith({ "GET /hosted/checkout": () => refuse(401, "invalid_page_token") });
  await draw(<CheckoutPage token="wrong" />);
  expect(hasButton("Try again")).toBe(false);
});

test("a server that is away at the start can be asked again", async () => {
  let broken = true;
  replyWith({ "GET /hosted/checkout": () => (broken ? brokenLine() : at("offer")) });
  await draw(<CheckoutPage token="t" />);
  broken = false;
  await press("Try again");
  expect(shown()).toContain("Choose how to pay");
});
