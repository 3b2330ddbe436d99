import { describe, expect, test, vi } from "vitest";
import { hostedCheckout, JaraApiError, JaraInputError, ValidationError } from "../../sdk/src/index.ts";
import { caught, createProduct } from "./product.ts";

const { jara, baseUrl, fetch } = await createProduct();
const { customers, loans, sessions, profile } = jara.loans.bnpl;

const person = { firstName: "Adaeze", lastName: "Okafor", email: "ada@example.com" } as const;
const account = { bankAccountNo: "0123456789", bankCode: "058" };
let people = 0;

const onboard = () => {
  people += 1;
  return customers.create({
    ...person,
    phone: `0803123456${people}`,
    bvn: `2212345670${people}`,
    externalId: `u-${people}`,
  });
};

async function borrow(customerId: string, amount: number | string) {
  const { tenors } = await customers.getEligibility(customerId);
  const loan = await loans.create(customerId, { ...account, amount, tenor: tenors[0]?.tenor ?? 0 });
  await loans.consent.request(loan.id);
  await loans.consent.verify(loan.id, "123456");
  return loan.id;
}

async function linkCard(customerId: string) {
  const { linkId } = await customers.cards.link(customerId, { callbackUrl: "http://localhost:3000/back" });
  return jara.sandbox.cardLinks.complete(linkId, { outcome: "linked" });
}

describe("a purchase on credit, step by step", () => {
  test("customers are onboarded once and found again", async () => {
    const customer = await onboard();
    expect(customer).toMatchObject({ kycStatus: "verified", hasLinkedCard: false, pendingChange: null });
    expect(await customers.get(customer.id)).toEqual(customer);
    expect(await customers.list().toArray()).toEqual([customer]);
    const changed = { ...person, phone: "08039990000", bvn: "22123456701" };
    const { pendingChange } = await customers.create(changed);
    expect(pendingChange).toMatchObject({ fields: expect.arrayContaining(["phone"]) });
    await jara.sandbox.clock.advance({ seconds: 61 });
    await customers.contactChanges.resendCode(customer.id, pendingChange?.id ?? "");
    const moved = await customers.contactChanges.verify(customer.id, pendingChange?.id ?? "", "123456");
    expect(moved.phone).toBe("+2348039990000");
  });

  test("from eligibility over consent and card to the payout, its repayments and refunds", async () => {
    const { id: customerId } = await onboard();
    const loanId = await borrow(customerId, "60000.00");
    expect(await loans.consent.get(loanId)).toMatchObject({ loanId });
    expect((await jara.sandbox.messages.list().toArray())[0]).toMatchObject({ channel: "sms" });
    await linkCard(customerId);
    await jara.sandbox.clock.advance({ seconds: 60 });
    expect(await loans.get(loanId)).toMatchObject({ status: "active", consentStatus: "consented", amount: 60_000 });
    expect(await loans.listActive(customerId)).toMatchObject([{ id: loanId }]);
    expect((await loans.getPage(loanId)).url).toContain("#");
    const refund = { amount: 10_000, reason: "One item came back", reference: "back-1" };
    expect(await loans.refund(loanId, refund)).toMatchObject({ amount: 10_000 });
    const repaid = await loans.repayments.create(loanId, { amount: 1_000, reference: "pay-1", channel: "wallet" });
    expect(await loans.repayments.list(loanId).toArray()).toMatchObject([{ id: repaid.id }]);
    const { balance } = await loans.get(loanId);
    await loans.repayments.create(loanId, { amount: balance + 100.5, reference: "pay-2", channel: "wallet" });
    const credit = { amount: "100.50", reference: "credit-1", channel: "wallet" } as const;
    expect(await loans.refundCredit(loanId, credit)).toMatchObject({ amount: 100.5 });
  });

  test("refusals carry what the caller needs, in its types", async () => {
    const { id: customerId } = await onboard();
    const wrong = await caught(loans.create(customerId, { ...account, amount: 90_000_000, tenor: 3 }));
    if (!(wrong instanceof JaraApiError) || !wrong.is("amount_out_of_band")) return expect.fail(String(wrong));
    const most: number = wrong.data.maxAmount;
    expect(most).toBeGreaterThan(0);
    const loan = await loans.create(customerId, { ...account, amount: 60_000, tenor: 3 });
    await loans.consent.request(loan.id);
    const otp = await caught(loans.consent.verify(loan.id, "000000"));
    expect(otp).toBeInstanceOf(ValidationError);
    expect(otp).toMatchObject({ code: "otp_invalid", data: { attemptsRemaining: 4 } });
    expect(await loans.cancel(loan.id)).toMatchObject({ status: "cancelled" });
  });

  test("cards are listed and removed, charges and card refunds are steered", async () => {
    const { id: customerId } = await onboard();
    const { card } = await linkCard(customerId);
    expect(await customers.cards.list(customerId)).toMatchObject([{ last4: card?.last4, isDefault: true }]);
    expect(await customers.cards.delete(customerId, card?.id ?? "")).toMatchObject({ deleted: true });
    const unknown = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
    const { charges, cardRefunds } = jara.sandbox;
    for (const steer of [charges.confirm, charges.decline, charges.takeBack, cardRefunds.complete, cardRefunds.fail]) {
      expect(await caught(steer(unknown))).toMatchObject({
        status: 404,
        code: expect.stringMatching(/^(charge|card_refund)_not_found$/),
      });
    }
  });
});

const order = () => ({
  ...account,
  customer: { ...person, phone: "08031239999", bvn: "22123456799" },
  amount: "60000.00",
  items: [{ name: "Fan", quantity: 2, amount: "60000.00" }],
  orderReference: "order-1",
  successUrl: "http://localhost:3000/ok",
  cancelUrl: "http://localhost:3000/no",
});

describe("hosted checkout", () => {
  test("a session is opened, read, cancelled and waited for", async () => {
    const session = await sessions.create(order());
    expect(session).toMatchObject({ status: "open", amount: 60_000, items: [{ amount: 60_000 }] });
    expect(await sessions.get(session.id)).toEqual(session);
    expect(await sessions.list({ status: "open" }).toArray()).toEqual([{ ...session, url: null }]);
    expect(await sessions.cancel(session.id)).toMatchObject({ status: "cancelled", url: null });
    expect(await sessions.waitUntilFinal(session.id)).toMatchObject({ status: "cancelled" });
  });

  test("a page walks a customer through it by the session's address alone", async () => {
    vi.stubGlobal("window", { document: {} });
    const { url } = await sessions.create({ ...order(), orderReference: "order-2" });
    const page = hostedCheckout(`${baseUrl}${new URL(url ?? "").pathname}${new URL(url ?? "").hash}`, { fetch });
    const { step, offers, customer } = await page.read();
    expect({ step, customer }).toEqual({ step: "offer", customer: null });
    const { agreement } = await page.chooseTerms(offers[0]?.tenor ?? 0);
    await page.requestConsent(agreement?.termsHash ?? "");
    expect(await caught(page.verifyConsent("000000"))).toMatchObject({ code: "otp_invalid" });
    expect(await page.verifyConsent("123456")).toMatchObject({ step: "card", customer: { firstName: "Adaeze" } });
    expect((await page.linkCard()).url).toContain("#");
    expect(await page.cancel()).toMatchObject({ status: "cancelled" });
    expect(await page.waitUntilFinal()).toMatchObject({ step: "cancelled" });
    vi.unstubAllGlobals();
  });

  test.each([
    ["declined", "open"],
    ["paid", "completed"],
    ["cancelled", "cancelled"],
    ["abandoned", "expired"],
  ] as const)("is played to its end without a browser: %s is %s", async (ending, status) => {
    const session = await sessions.create({ ...order(), orderReference: `played-${ending}` });
    expect(await jara.sandbox.checkoutSessions.play(session, ending)).toMatchObject({ id: session.id, status });
    if (status === "open") await sessions.cancel(session.id);
  });

  test("nothing is played of a session whose address is gone", async () => {
    const session = await sessions.create({ ...order(), orderReference: "played-twice" });
    const ended = await jara.sandbox.checkoutSessions.play(session, "cancelled");
    expect(await caught(jara.sandbox.checkoutSessions.play(ended, "paid"))).toBeInstanceOf(JaraInputError);
  });

  test.each(["https://api.example.com/checkout/1", "https://api.example.com/shop#t", "checkout/1#t"])(
    "%s opens nothing",
    (address) => {
      expect(() => hostedCheckout(address)).toThrow("with what follows #");
    },
  );

  test("the profile that customers see", async () => {
    expect(await profile.update({ displayName: "Balogun Home" })).toMatchObject({ displayName: "Balogun Home" });
    expect(await profile.get()).toMatchObject({ displayName: "Balogun Home" });
  });
});
