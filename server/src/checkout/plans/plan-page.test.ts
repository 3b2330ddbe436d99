import { expect, test } from "vitest";
import { goodCard, refusedCard } from "../../../testing/checkout/checkout-sessions.ts";
import { createPlanApp } from "../../../testing/checkout/plans.ts";
import { naira } from "../../../testing/lending/lending.ts";
import { verifyLedger } from "../../ledger/verify.ts";
import { verifyLending } from "../../lending/verify-lending.ts";
import { findDefaultCard } from "../cards/card-store.ts";
import { pursueCharges } from "../cards/charge-order.ts";
import { insertCharge } from "../cards/charge-store.ts";
import { loanMoved } from "../follow-loans.ts";
import { announceCheckoutLoan } from "../loans/announce-checkout-loan.ts";

const app = await createPlanApp();
const { call, lend, visit: visitPlan, within, advance } = app;

const codeOf = (reply: { statusCode: number; json(): { code: string } }) => [reply.statusCode, reply.json().code];
const path = (loanId: string) => `/loans/bnpl/loans/${loanId}/page`;

test("a customer is sent the address when the money is out, once, and it is the one the merchant gets", async () => {
  const { customerId, loanId } = await lend();
  const sent = (await app.texts(customerId)).filter((text) => text.includes("/plans/"));
  expect(sent).toHaveLength(1);
  const [text = ""] = sent;
  expect(text).toMatch(/^Mama Put Foods is paid\. See your 3 monthly payments, pay early or change your card here: /);
  expect(await app.address(loanId)).toBe(text.split("here: ")[1]);
  await advance({ days: 40 });
  await advance({ days: 40 });
  expect((await app.texts(customerId)).filter((each) => each.includes("/plans/"))).toHaveLength(1);
});

test("the merchant gets one address as long as it works, and a new one afterwards or when asked to", async () => {
  const { loanId } = await lend();
  const first = await call("POST", path(loanId), { body: {} });
  expect(first.statusCode, first.body).toBe(200);
  expect(first.headers["idempotent-replayed"]).toBe("true");
  expect(first.json()).toMatchObject({ status: "success", title: "Plan page", data: { loan_id: loanId } });
  expect((await call("POST", path(loanId))).json().data).toEqual(first.json().data);

  const renewed = await call("POST", path(loanId), { body: { renew: true } });
  expect(renewed.statusCode).toBe(201);
  expect(renewed.json().data.url).not.toBe(first.json().data.url);
  expect(codeOf(await app.door(first.json().data.url).ask())).toEqual([404, "page_ended"]);
  expect((await app.door(renewed.json().data.url).view()).merchantName).toBe("Mama Put Foods");

  await advance({ days: 46 });
  expect(codeOf(await app.door(renewed.json().data.url).ask())).toEqual([404, "page_ended"]);
  const again = await call("POST", path(loanId));
  expect(again.statusCode).toBe(201);
  expect((await app.door(again.json().data.url).view()).code).toBeNull();

  const trail = (await app.operate("GET", "/operator/audit?limit=100")).json().data;
  const mine = trail.filter(({ subjectId }: { subjectId: string }) => subjectId === loanId);
  expect(mine.map(({ action, actor }: { action: string; actor: string }) => [action, actor.split(" ")[0]])).toEqual([
    ["plan-page.make", "key"],
    ["plan-page.make", "key"],
    ["plan-page.make", "jara"],
  ]);
  expect(JSON.stringify(mine)).not.toContain(again.json().data.url.split("#")[1]);
});

test("of twins who ask for an address both get the same", async () => {
  const { loanId } = await lend();
  await advance({ days: 46 });
  const replies = await Promise.all([1, 2, 3].map(() => call("POST", path(loanId), { body: {} })));
  expect(new Set(replies.map((reply) => reply.json().data.url)).size).toBe(1);
  expect(replies.map((reply) => reply.statusCode).toSorted()).toEqual([200, 200, 201]);
});

test("a loan that is not out has no page", async () => {
  const loanId = await app.loan(await app.customer());
  expect(codeOf(await call("POST", path(loanId), { body: {} }))).toEqual([409, "invalid_state"]);
});

test("behind the door the whole plan is shown", async () => {
  const { visit, loanId } = await visitPlan();
  const { data: loan } = (await call("GET", `/loans/bnpl/loans/${loanId}`)).json();
  const view = await visit.view();
  expect(view).toMatchObject({
    status: "active",
    environment: "SANDBOX",
    merchantName: "Mama Put Foods",
    reference: loan.reference,
    customer: { firstName: "Adaeze", name: "Adaeze Okafor" },
    orderReference: null,
    amount: 60_000,
    totalRepayment: 64_500,
    paid: 0,
    balance: 64_500,
    due: 0,
    settlement: 64_500,
    canPay: true,
    next: { number: 1, amount: 21_500, isLate: false },
    card: { brand: "visa", last4: "4081" },
    charge: null,
    payments: [],
    interestRate: 2.5,
    annualRate: expect.any(Number),
    tenor: 3,
    disclosure: { lender: { name: "Sample Lender (sandbox)", isSample: true } },
  });
  expect(view.disclosure.complaints).toContain("Federal Competition and Consumer Protection Commission");
  expect(view.schedule.map(({ amount, status }) => [amount, status])).toEqual([
    ...[21_500, 21_500, 21_500].map((amount) => [amount, "pending"]),
  ]);
});

test("one payment, any amount and everything can be paid early, and each has its receipt", async () => {
  const { visit, loanId } = await visitPlan();
  const first = (await visit.pay(21_500)).json().data;
  expect(first).toMatchObject({ balance: 43_000, next: { number: 2 }, charge: { status: "successful" } });
  expect((await visit.pay(1_000.5)).json().data).toMatchObject({ balance: 41_999.5 });
  const done = (await visit.pay(41_999.5)).json().data;
  expect(done).toMatchObject({ status: "completed", balance: 0, next: null, canPay: false });
  expect(done.payments.map(({ amount }: { amount: number }) => amount)).toEqual([41_999.5, 1_000.5, 21_500]);
  expect(done.payments[2]).toMatchObject({
    channel: "card",
    card: { brand: "visa", last4: "4081" },
    status: "successful",
    principal: 20_000,
    interest: 1_500,
    fees: 0,
    credit: 0,
  });
  expect(await app.status(loanId)).toBe("completed");
  expect(codeOf(await visit.pay(10))).toEqual([409, "invalid_state"]);
  expect(await within(verifyLedger)).toEqual([]);
  expect(await within(verifyLending)).toEqual([]);
});

test("what is late shows as late, with its fee, and can be paid", async () => {
  const { loanId } = await lend("declines_later");
  await advance({ days: 40 });
  const visit = await app.enter(await app.address(loanId));
  const view = await visit.view();
  expect(view).toMatchObject({ status: "overdue", next: { number: 1, isLate: true }, charge: { status: "failed" } });
  expect(view.due).toBe(view.next?.amount);
  expect(view.schedule[0]).toMatchObject({ status: "overdue", lateFee: expect.any(Number) });
  expect(view.schedule[0]?.lateFee).toBeGreaterThan(0);
});

test("a refused card is told with the bank's reason, and is not asked again at once", async () => {
  const { visit } = await visitPlan("declines_later");
  const refused = await visit.pay(21_500);
  expect(codeOf(refused)).toEqual([422, "card_declined"]);
  expect(refused.json().data.reason.message).toEqual(expect.any(String));
  expect(await visit.view()).toMatchObject({ balance: 64_500, charge: { status: "failed", kind: "repayment" } });
  expect(codeOf(await visit.pay(21_500))).toEqual([429, "card_charge_too_soon"]);
});

test("a payment that the network owes an answer about is shown as under way until it is not", async () => {
  const { visit, customerId, loanId } = await visitPlan();
  const { id } = await within(async (tx) => {
    const card = await findDefaultCard(tx, customerId);
    const wanted = { loanId, customerId, cardId: card?.id ?? "", amount: naira("21500"), reference: `slow-${loanId}` };
    return insertCharge(tx, { ...wanted, connectionId: null, kind: "repayment", attempt: 1, dueDate: null });
  });
  expect(await visit.view()).toMatchObject({ balance: 64_500, charge: { status: "processing", amount: 21_500 } });
  expect(codeOf(await visit.pay(21_500))).toEqual([409, "charge_in_progress"]);
  await advance({ seconds: 900 });
  const announce = announceCheckoutLoan({ loanMoved });
  const { db, sealer, log } = app.dependencies;
  const deps = { db, sealer, log, announce, rails: app.rails.rails };
  await pursueCharges(deps).takeUp({ environmentId: app.merchant.environment.id, id });
  expect(await visit.view()).toMatchObject({ balance: 43_000, charge: { status: "successful" } });
});

test("another card is linked on the card page, which leads back", async () => {
  const { visit, url } = await visitPlan();
  const { url: cardUrl } = (await visit.send("POST", "/hosted/plan/visit/card-link")).json().data;
  const token = cardUrl.split("#")[1];
  const send = (method: "GET" | "POST", at: string, payload?: object) =>
    app.app.inject({ method, url: at, headers: { authorization: `Bearer ${token}` }, ...(payload && { payload }) });
  expect((await send("GET", "/hosted/card-link")).json().data).toMatchObject({ status: "pending", returnUrl: url });
  const vaulted = await send("POST", "/hosted/card-vault/tokens", {
    number: refusedCard,
    expMonth: 12,
    expYear: 2030,
    cvv: "123",
  });
  const declined = await send("POST", "/hosted/card-link/card", { cardToken: vaulted.json().data.token });
  expect(declined.json().data).toMatchObject({ status: "declined", returnUrl: url });
  expect((await visit.view()).card).toMatchObject({ last4: goodCard.slice(-4) });
  for (let links = 3; links <= 10; links += 1) await visit.send("POST", "/hosted/plan/visit/card-link");
  expect(codeOf(await visit.send("POST", "/hosted/plan/visit/card-link"))).toEqual([429, "card_link_limit_reached"]);
});

test("leaving ends the visit, half an hour does too, and the address can be used again", async () => {
  const { visit, url } = await visitPlan();
  expect((await visit.send("POST", "/hosted/plan/visit/leave")).statusCode).toBe(200);
  expect(codeOf(await visit.send("GET", "/hosted/plan/visit"))).toEqual([404, "page_ended"]);
  await advance({ seconds: 60 });
  const second = await app.enter(url);
  await advance({ seconds: 30 * 60 - 1 });
  expect((await second.view()).balance).toBe(64_500);
  await advance({ seconds: 1 });
  expect(codeOf(await second.send("GET", "/hosted/plan/visit"))).toEqual([404, "page_ended"]);
});
