import { expect, test } from "vitest";
import { agreementOf, createCheckoutApp, goodCard, refusedCard } from "../../../testing/checkout/checkout-sessions.ts";

const app = await createCheckoutApp();
const { open, browse, advance, toCardPage } = app;

const codeOf = (reply: { statusCode: number; json(): { code: string } }) => [reply.statusCode, reply.json().code];

const anyAgreement = { agreed: true, termsHash: "0".repeat(64) };

test("a customer is led from the offer to the paid order", async () => {
  const session = await open();
  const page = browse(session.url);
  const offer = await page.view();
  expect(offer).toMatchObject({
    id: session.id,
    status: "open",
    step: "offer",
    environment: "SANDBOX",
    merchantName: "Mama Put Foods",
    amount: 60_000,
    currency: "NGN",
    customer: null,
    loan: null,
    consent: null,
    card: null,
    orderReference: session.order_reference,
    eligibility: { eligible: true, reasons: [], minAmount: 5_000, maxAmount: 500_000 },
    returnUrl: `http://localhost:3000/basket?session_id=${session.id}&status=open`,
  });
  expect(offer.offers.map(({ tenor }) => tenor)).toEqual([1, 3, 6, 9, 12]);

  const chosen = await page.act("terms", { tenor: 3 });
  expect(chosen).toMatchObject({ step: "consent", loan: { status: "pending_consent", tenor: 3 }, consent: null });
  const { id, status, ...plan } = chosen.loan ?? {};
  expect(plan).toEqual(offer.offers[1]);
  expect((await app.read(session.id)).loan_id).toBe(id);

  const asked = await page.act("consent/request");
  expect(asked.consent).toMatchObject({ attemptsRemaining: 5 });
  const consented = await page.act("consent/verify", { otp: "123456" });
  expect(consented.customer).toEqual({ firstName: "Adaeze", phone: "0803****678" });
  expect(consented).toMatchObject({ step: "card", consent: null, offers: [], loan: { status: "pending_card" } });

  const card = await toCardPage(page);
  expect(await card.view()).toMatchObject({ status: "pending", card: null });
  expect((await card.pay(goodCard)).json().data).toMatchObject({
    status: "linked",
    card: { brand: "visa", last4: "4081" },
    returnUrl: session.url,
  });
  expect(await page.view()).toMatchObject({ step: "processing", card: { last4: "4081" }, status: "open" });

  await advance({ seconds: 10 });
  const done = await page.view();
  expect(done).toMatchObject({ status: "completed", step: "completed", loan: { status: "active" } });
  expect(done.returnUrl).toBe(`https://shop.example.com/thanks?order=7&session_id=${session.id}&status=completed`);
  expect(await app.read(session.id)).toMatchObject({ status: "completed", url: null, loan_id: id });
  expect(await app.heard(session.id)).toEqual(["checkout.session.completed"]);
  expect(status).toBe("pending_consent");
});

test("who has a card is not asked for one", async () => {
  const customerId = await app.customer();
  await app.link(customerId, "linked");
  const page = browse((await open({ customer_id: customerId })).url);
  expect((await page.view()).card).toBeNull();
  await page.act("terms", { tenor: 1 });
  await page.act("consent/request");
  const shown = await page.act("consent/verify", { otp: "123456" });
  expect(shown).toMatchObject({ step: "processing", card: { brand: "visa", last4: "4081" } });
});

test("a declined card can be followed by another, and the page says why", async () => {
  const page = browse((await open()).url);
  await page.act("terms", { tenor: 6 });
  await page.act("consent/request");
  await page.act("consent/verify", { otp: "123456" });
  const card = await toCardPage(page);
  const declined = (await card.pay(refusedCard)).json().data;
  expect(declined).toMatchObject({ status: "declined", card: null, reason: { code: expect.any(String) } });
  expect((await page.view()).step).toBe("card");
  expect((await card.pay(goodCard)).json().data).toMatchObject({ status: "linked", reason: null });
  expect((await page.view()).step).toBe("processing");
});

test("the months can be changed until the customer consents, and a code sent before is no longer good", async () => {
  const page = browse((await open()).url);
  const first = await page.act("terms", { tenor: 3 });
  await page.act("consent/request");
  const changed = await page.act("terms", { tenor: 12 });
  expect(changed.loan).toMatchObject({ id: first.loan?.id, tenor: 12 });
  expect(changed.consent, "a code that can be answered").toBeNull();
  const refused = await page.send("POST", "/hosted/checkout/consent/verify", { otp: "123456" });
  expect(codeOf(refused)).toEqual([409, "consent_terms_changed"]);
  await advance({ seconds: 60 });
  await page.act("consent/request");
  await page.act("consent/verify", { otp: "123456" });
  expect(codeOf(await page.send("POST", "/hosted/checkout/terms", { tenor: 3 }))).toEqual([409, "invalid_state"]);
});

test("a wrong code says in the page's own words how many tries are left, and five lock it", async () => {
  const page = browse((await open()).url);
  await page.act("terms", { tenor: 3 });
  const verify = (otp: string) => page.send("POST", "/hosted/checkout/consent/verify", { otp });
  expect(codeOf(await verify("123456"))).toEqual([422, "otp_not_requested"]);
  await page.act("consent/request");
  for (const left of [4, 3, 2, 1, 0]) {
    const reply = await verify("654321");
    expect(codeOf(reply)).toEqual([422, "otp_invalid"]);
    expect(reply.json().data).toEqual({ attemptsRemaining: left });
    expect((await page.view()).consent?.attemptsRemaining).toBe(left);
  }
  expect(codeOf(await verify("123456"))).toEqual([422, "otp_attempts_exceeded"]);
  const early = await page.send("POST", "/hosted/checkout/consent/request", await agreementOf(page));
  expect([...codeOf(early), early.headers["retry-after"]]).toEqual([429, "otp_resend_too_early", "60"]);
  await advance({ seconds: 60 });
  await page.act("consent/request");
  await advance({ seconds: 600 });
  expect(codeOf(await verify("123456"))).toEqual([422, "otp_expired"]);
});

test("who may not borrow is told so without the reason, and cannot go on", async () => {
  const customer = {
    first_name: "Bola",
    last_name: "Ade",
    email: "bola@example.com",
    phone: "08031234567",
    bvn: "22123450000",
  };
  const page = browse((await open({ customer })).url);
  expect(await page.view()).toMatchObject({
    step: "not_eligible",
    offers: [],
    eligibility: { eligible: false, reasons: [{ code: "not_eligible" }] },
  });
  const refused = await page.send("POST", "/hosted/checkout/terms", { tenor: 3 });
  expect(codeOf(refused)).toEqual([422, "not_eligible"]);
  expect(refused.json().data.reasons).toMatchObject([{ code: "not_eligible" }]);
});

test("a loan that is not granted after all ends its checkout", async () => {
  const session = await open();
  const page = browse(session.url);
  await app.link(session.customer_id, "linked");
  await page.act("terms", { tenor: 3 });
  await page.act("consent/request");
  const decision = { status: "failed", reason: "The papers are forged" };
  await app.operate("POST", `/operator/customers/${session.customer_id}/kyc`, decision);
  const view = await page.act("consent/verify", { otp: "123456" });
  expect(view).toMatchObject({ status: "cancelled", step: "cancelled", loan: { status: "rejected" } });
});

test.each([
  ["more than anybody may owe", 500_000.01],
  ["less than a loan's minimum", 4_999.99],
])("an order that costs %s is told with the band", async (_, amount) => {
  const page = browse((await open({ amount })).url);
  const view = await page.view();
  expect(view).toMatchObject({
    step: "not_eligible",
    eligibility: { reasons: [{ code: "amount_out_of_band" }], minAmount: 5_000, maxAmount: 500_000 },
  });
  const refused = await page.send("POST", "/hosted/checkout/terms", { tenor: 3 });
  expect(codeOf(refused)).toEqual([422, "not_eligible"]);
  expect(JSON.stringify(refused.json().data)).not.toContain("mount");
});

test("a second checkout beyond the customer's limit is not eligible once the first has its consent", async () => {
  const customerId = await app.customer();
  const first = browse((await open({ customer_id: customerId, amount: 150_000 })).url);
  const second = browse((await open({ customer_id: customerId, amount: 60_000 })).url);
  expect([(await first.view()).step, (await second.view()).step]).toEqual(["offer", "offer"]);
  await first.act("terms", { tenor: 3 });
  await first.act("consent/request");
  await first.act("consent/verify", { otp: "123456" });
  expect((await second.view()).step).toBe("not_eligible");
  expect((await first.view()).eligibility.eligible).toBe(true);
  const refused = await second.send("POST", "/hosted/checkout/terms", { tenor: 3 });
  expect(codeOf(refused)).toEqual([422, "not_eligible"]);
});

test.each([
  ["a tenor that is not offered", { tenor: 2 }, "tenor_not_supported"],
  ["no tenor", {}, "validation_failed"],
  ["a tenor as text", { tenor: "3" }, "validation_failed"],
  ["a broken tenor", { tenor: 3.5 }, "validation_failed"],
  ["a tenor of nought", { tenor: 0 }, "validation_failed"],
  ["a list", [], "validation_failed"],
])("%s is refused", async (_, body, code) => {
  const page = browse((await open()).url);
  expect(codeOf(await page.send("POST", "/hosted/checkout/terms", body))).toEqual([422, code]);
  expect((await page.view()).step).toBe("offer");
});

test.each([
  ["no code", {}],
  ["a number", { otp: 123456 }],
  ["an empty code", { otp: "" }],
  ["an endless code", { otp: "1".repeat(10_000) }],
])("%s is refused without costing a try", async (_, body) => {
  const page = browse((await open()).url);
  await page.act("terms", { tenor: 3 });
  await page.act("consent/request");
  const refused = await page.send("POST", "/hosted/checkout/consent/verify", body);
  expect(codeOf(refused)).toEqual([422, "validation_failed"]);
  expect((await page.view()).consent?.attemptsRemaining).toBe(5);
});

test.each(["consent/request", "consent/verify", "card-link"])(
  "%s before the terms are chosen is refused",
  async (action) => {
    const page = browse((await open()).url);
    const refused = await page.send("POST", `/hosted/checkout/${action}`, { otp: "123456", ...anyAgreement });
    expect(codeOf(refused)).toEqual([409, "invalid_state"]);
  },
);

test("an expired checkout is still shown and takes nothing more", async () => {
  const session = await open();
  const page = browse(session.url);
  await page.act("terms", { tenor: 3 });
  await advance({ days: 1 });
  const view = await page.view();
  expect(view).toMatchObject({ status: "expired", step: "expired", loan: { status: "expired" }, offers: [] });
  expect(view.returnUrl).toBe(`http://localhost:3000/basket?session_id=${session.id}&status=expired`);
  for (const action of ["terms", "consent/request", "consent/verify", "card-link", "cancel"]) {
    const refused = await page.send("POST", `/hosted/checkout/${action}`, { tenor: 3, otp: "123456", ...anyAgreement });
    expect([action, ...codeOf(refused)]).toEqual([action, 409, "session_expired"]);
  }
});

test("the customer can cancel, once", async () => {
  const session = await open();
  const page = browse(session.url);
  await page.act("terms", { tenor: 3 });
  const view = await page.act("cancel");
  expect(view).toMatchObject({ status: "cancelled", step: "cancelled", loan: { status: "cancelled" } });
  expect(view.returnUrl).toBe(`http://localhost:3000/basket?session_id=${session.id}&status=cancelled`);
  expect(codeOf(await page.send("POST", "/hosted/checkout/cancel"))).toEqual([409, "invalid_state"]);
  expect(await app.heard(session.id)).toEqual([]);
});

test("an action that is repeated under its Idempotency-Key is answered as before", async () => {
  const page = browse((await open()).url);
  const act = (action: string, body?: unknown) =>
    page.send("POST", `/hosted/checkout/${action}`, body, { "idempotency-key": action });
  for (const [action, body] of [
    ["terms", { tenor: 3 }],
    ["consent/request"],
    ["consent/verify", { otp: "123456" }],
    ["card-link"],
    ["cancel"],
  ] as const) {
    const ticked = action === "consent/request" ? await agreementOf(page) : body;
    const first = await act(action, ticked);
    const again = await act(action, ticked);
    expect([first.statusCode, again.statusCode, again.body]).toEqual([200, 200, first.body]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
  }
});

test("a page shows its own checkout and nobody else's", async () => {
  const [one, other] = [await open(), await open()];
  expect((await browse(one.url).view()).id).toBe(one.id);
  expect((await browse(other.url).view()).id).toBe(other.id);
});

test.each([
  ["no token", "/checkout/x"],
  ["an unknown token", "/checkout/x#unknown"],
  ["a secret key", `/checkout/x#${app.merchant.secretKey}`],
])("%s opens no page", async (_, url) => {
  const refused = await browse(url).send("GET", "/hosted/checkout");
  expect(codeOf(refused)).toEqual([401, "invalid_page_token"]);
});

test("a card page's token does not open the checkout, nor the other way round", async () => {
  const page = browse((await open()).url);
  await page.act("terms", { tenor: 3 });
  await page.act("consent/request");
  await page.act("consent/verify", { otp: "123456" });
  const card = await toCardPage(page);
  expect(codeOf(await card.send("GET", "/hosted/checkout"))).toEqual([401, "invalid_page_token"]);
  expect(codeOf(await page.send("GET", "/hosted/card-link"))).toEqual([401, "invalid_page_token"]);
});
