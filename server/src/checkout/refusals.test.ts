/** Refusals of the checkout that need a world of their own; what stands beside its code is not repeated here. */
import { describe, expect, test } from "vitest";
import { withCardFaults } from "../../testing/checkout/card-faults.ts";
import { goodLoan, unknownId } from "../../testing/checkout/checkout.ts";
import {
  agreementOf,
  browserOf,
  createCheckoutApp,
  goodCard,
  refusedCard,
} from "../../testing/checkout/checkout-sessions.ts";
import { withPlans } from "../../testing/checkout/plans.ts";
import { createLive, createMerchant } from "../../testing/factories.ts";
import { issueKeyFor } from "../../testing/keys.ts";
import { emptyFunding, moveFunding, readFunding } from "../../testing/lending/funding.ts";
import { freeze } from "../../testing/lending/loans.ts";
import { createServerBeside } from "../../testing/server-beside.ts";
import { deskOf } from "../rails/desk.ts";

const app = withPlans(await createCheckoutApp());
const { call, operate, advance, browse, browseCard, customer, open, lend, loan, read, within, db } = app;

const codeOf = (reply: { statusCode: number; json(): { code: string } }) => [reply.statusCode, reply.json().code];
const ofLoan = (loanId: string, way: string, body: object = {}, options: object = {}) =>
  call("POST", `/loans/bnpl/loans/${loanId}/${way}`, { body, ...options });
const newLink = async (customerId: string) =>
  browseCard((await call("POST", `/loans/bnpl/customers/${customerId}/cards/link`, { body: {} })).json().data.url);

async function consented() {
  const session = await open();
  const page = browse(session.url);
  await page.act("terms", { tenor: 3 });
  await page.act("consent/request");
  await page.act("consent/verify", { otp: "123456" });
  return { session, page };
}

describe("the checkout's page", () => {
  test("sends three codes within ten minutes, and no fourth", async () => {
    const page = browse((await open()).url);
    await page.act("terms", { tenor: 3 });
    for (const _ of [1, 2, 3]) {
      await page.act("consent/request");
      await advance({ seconds: 61 });
    }
    const refused = await page.send("POST", "/hosted/checkout/consent/request", await agreementOf(page));
    expect(codeOf(refused)).toEqual([429, "otp_limit_reached"]);
    expect(refused.json().data).toMatchObject({ retryAfterSeconds: 600 - 3 * 61 });
  });

  test("sends no code for what was consented to", async () => {
    const { page } = await consented();
    const body = { agreed: true, termsHash: "0".repeat(64) };
    const refused = await page.send("POST", "/hosted/checkout/consent/request", body);
    expect(codeOf(refused)).toEqual([409, "consent_given"]);
  });

  test("leads to ten card pages a day, and no eleventh", async () => {
    const { page } = await consented();
    for (let made = 0; made < 10; made += 1) await app.toCardPage(page);
    const refused = await page.send("POST", "/hosted/checkout/card-link");
    expect(codeOf(refused)).toEqual([429, "card_link_limit_reached"]);
  });

  test("cannot be cancelled while the money is on its way, not by the merchant either", async () => {
    const { session, page } = await consented();
    await (await app.toCardPage(page)).pay(goodCard);
    await call("PUT", "/sandbox/banks/058/health", { body: { status: "down" } });
    await advance({ seconds: 10 });
    const path = `/loans/bnpl/checkout-sessions/${session.id}/cancel`;
    const busy = [409, "checkout_loan_being_disbursed"];
    expect(codeOf(await page.send("POST", "/hosted/checkout/cancel"))).toEqual(busy);
    expect(codeOf(await call("POST", path))).toEqual(busy);
    await call("PUT", "/sandbox/banks/058/health", { body: { status: "up" } });
    await advance({ seconds: 3_600 });
    expect((await read(session.id)).status).toBe("completed");
  });
});

describe("the merchant's account", () => {
  const closed = { found: "no" } as const;
  const bank = deskOf({ SANDBOX: { ...app.rails.simulatedBank.rail, resolveAccount: async () => closed }, LIVE: null });
  /** Its last digit does not fit the bank. */
  const wrong = { bank_code: "044", bank_account_no: "0690000031" };

  test("that the bank no longer knows makes no loan", async () => {
    const session = await open();
    const { app: forgetful } = await createServerBeside(app, { rails: { bank } });
    const page = browserOf(forgetful, session.url ?? "");
    expect(codeOf(await page.send("POST", "/hosted/checkout/terms", { tenor: 3 }))).toEqual([404, "account_not_found"]);
    expect((await read(session.id)).loan_id).toBeNull();
  });

  test("whose bank is away makes no loan until it is back", async () => {
    const page = browse((await open()).url);
    await call("PUT", "/sandbox/banks/058/health", { body: { status: "down" } });
    const refused = await page.send("POST", "/hosted/checkout/terms", { tenor: 3 });
    expect(codeOf(refused)).toEqual([503, "bank_unavailable"]);
    await call("PUT", "/sandbox/banks/058/health", { body: { status: "up" } });
    expect((await page.act("terms", { tenor: 3 })).loan).not.toBeNull();
  });

  test("with a wrong check digit makes no loan where the operator wants that", async () => {
    const strict = await createServerBeside(app, { config: { nubanCheck: "refuse" } });
    const customerId = await customer();
    const session = await open({ customer_id: customerId, ...wrong });
    const page = browserOf(strict.app, session.url ?? "");
    const order = await app.order(wrong);
    for (const reply of [
      await strict.call("POST", `/loans/bnpl/customers/${customerId}/loans`, { body: { ...goodLoan, ...wrong } }),
      await strict.call("POST", "/loans/bnpl/checkout-sessions", { body: order }),
      await page.send("POST", "/hosted/checkout/terms", { tenor: 3 }),
    ]) {
      expect(codeOf(reply)).toEqual([422, "account_number_invalid"]);
    }
    expect((await read(session.id)).loan_id).toBeNull();
  });
});

describe("a card page", () => {
  test("takes three refused cards, and then none", async () => {
    const page = await newLink(await customer());
    for (const _ of [1, 2, 3]) expect((await page.pay(refusedCard)).json().data.status).toBe("declined");
    expect(codeOf(await page.pay(goodCard))).toEqual([409, "card_link_exhausted"]);
  });

  test("takes no second card while the network owes an answer about the first", async () => {
    const page = await newLink(await customer());
    const { rail, links } = withCardFaults(app.rails.simulatedCard.rail, { lostLinkAnswers: 1 });
    const lossy = await createServerBeside(app, { rails: { card: deskOf({ SANDBOX: rail, LIVE: null }) } });
    const send = async (number: string) =>
      browserOf(lossy.app, `#${page.token}`).send("POST", "/hosted/card-link/card", {
        cardToken: await page.vault(number),
      });
    expect((await send(goodCard)).json().data.status).toBe("processing");
    expect(codeOf(await send("5555555555554444"))).toEqual([409, "card_link_in_progress"]);
    expect(links).toHaveLength(1);
  });
});

describe("a plan's page", () => {
  test("has a code that expires", async () => {
    const door = app.door(await app.address((await lend()).loanId));
    await door.ask();
    await advance({ seconds: 601 });
    expect(codeOf(await door.answer("123456"))).toEqual([422, "otp_expired"]);
  });

  test("opens nothing any more when another has taken its place", async () => {
    const { loanId } = await lend();
    const door = app.door(await app.address(loanId));
    await door.ask();
    await ofLoan(loanId, "page", { renew: true });
    expect(codeOf(await door.send("GET", "/hosted/plan"))).toEqual([404, "page_ended"]);
    expect(codeOf(await door.answer("123456"))).toEqual([404, "page_ended"]);
  });
});

describe("money that comes back", () => {
  test("is not taken from a card that is gone, nor more than is owed", async () => {
    const { loanId, customerId, visit } = await app.visit();
    const pay = (amount: number) => ofLoan(loanId, "repayments", { amount, channel: "card", reference: "gone" });
    expect(codeOf(await pay(64_500.01))).toEqual([422, "amount_out_of_band"]);
    await within((tx) =>
      tx.updateTable("customers").set({ default_card_id: null }).where("id", "=", customerId).execute(),
    );
    expect(codeOf(await pay(21_500))).toEqual([422, "card_not_linked"]);
    expect(codeOf(await visit.pay(21_500))).toEqual([422, "card_not_linked"]);
    expect(await visit.view()).toMatchObject({ balance: 64_500, payments: [], charge: null });
  });

  test("does not come from a wallet that is not there, nor go to one", async () => {
    const { loanId } = await lend();
    const body = { amount: 1_000, channel: "wallet", reference: "nowhere", wallet_id: unknownId };
    for (const way of ["repayments", "credit/refund"]) {
      expect(codeOf(await ofLoan(loanId, way, body)), way).toEqual([404, "wallet_not_found"]);
    }
  });

  test("goes back to a card by a charge that covers it, or not at all", async () => {
    const { loanId } = await lend();
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 60_000 } });
    for (const reference of ["first", "second"]) {
      await ofLoan(loanId, "repayments", { amount: 20_000, channel: "card", reference });
    }
    await ofLoan(loanId, "refund", { amount: 60_000, reason: "Returned", reference: "returned" });
    const refused = await ofLoan(loanId, "credit/refund", { amount: 30_000, channel: "card", reference: "too-large" });
    expect([...codeOf(refused), refused.json().data]).toEqual([422, "card_refund_too_large", { refundable: 20_000 }]);
    expect((await call("GET", `/loans/bnpl/loans/${loanId}`)).json().data.credit).toBe(40_000);
  });
});

describe("the lender", () => {
  test("without a name asks nobody for consent", async () => {
    const live = await createLive(db);
    const key = await issueKeyFor(db, live);
    const loanId = await loan(await customer(live), { environmentId: live });
    const nameless = await createServerBeside(app, { config: { lender: undefined } });
    const refused = await nameless.call("POST", `/loans/bnpl/loans/${loanId}/consent/request`, { key });
    expect(codeOf(refused)).toEqual([503, "lender_not_configured"]);
  });

  test("without money pays nothing out, and with it again", async () => {
    const customerId = await customer();
    await app.link(customerId, "linked");
    const loanId = await loan(customerId);
    await app.consent(loanId);
    const all = await within(emptyFunding);
    const disburse = () => operate("POST", `/operator/checkout-loans/${loanId}/disburse`, { reason: "Ticket 4711" });
    expect(codeOf(await disburse())).toEqual([422, "insufficient_funds"]);
    expect([await within(readFunding), await app.status(loanId)]).toEqual([0n, "approved"]);
    await within((tx) => moveFunding(tx, all));
    expect((await disburse()).statusCode).toBe(200);
  });
});

describe("an operator", () => {
  test("finds no change of contact data under an id that nobody has, and sends no code for one", async () => {
    const id = await customer();
    const notFound = [404, "contact_change_not_found"];
    const resend = `/loans/bnpl/customers/${id}/contact-changes/${unknownId}/resend`;
    expect(codeOf(await call("POST", resend))).toEqual(notFound);
    for (const verb of ["approve", "reject"]) {
      const path = `/operator/customers/${id}/contact-changes/${unknownId}/${verb}`;
      expect(codeOf(await operate("POST", path, { reason: "Passport seen" })), verb).toEqual(notFound);
      const ofNobody = `/operator/customers/${unknownId}/contact-changes/${unknownId}/${verb}`;
      const noCustomer = [404, "checkout_customer_not_found"];
      expect(codeOf(await operate("POST", ofNobody, { reason: "Passport seen" })), verb).toEqual(noCustomer);
    }
  });

  test("decides about neither customer where two sandboxes stand still under one seed", async () => {
    const [one, other] = [await createMerchant(db), await createMerchant(db)];
    for (const { secretKey } of [one, other]) await freeze(app, "2026-11-02T08:00:00Z", secretKey);
    const [id, twin] = [await customer(one.environment.id), await customer(other.environment.id)];
    expect(twin).toBe(id);
    const body = { status: "failed", reason: "Ticket 4711" };
    const ambiguous = [409, "invalid_state"];
    expect(codeOf(await operate("POST", `/operator/customers/${id}/kyc`, body))).toEqual(ambiguous);
    expect(codeOf(await operate("GET", `/operator/customers/${id}/contact-changes`))).toEqual(ambiguous);
    for (const { secretKey: key } of [one, other]) {
      const { data } = (await call("GET", `/loans/bnpl/customers/${id}`, { key })).json();
      expect(data.kyc_status).toBe("verified");
    }
  });
});
