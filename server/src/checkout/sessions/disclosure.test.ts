/** What a customer is told before agreeing, and that nobody agrees without having been told. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createTestApp, testLender } from "../../../testing/app.ts";
import { agreementOf, createCheckoutApp, goodCard } from "../../../testing/checkout/checkout-sessions.ts";
import { issueLiveKeyFor } from "../../../testing/keys.ts";
import { canonicalJson } from "../consent/terms.ts";
import { complaintsText } from "../consent/terms-text.ts";
import { lenderFor } from "../loans/lender.ts";

const app = await createCheckoutApp();
const { call, open, browse } = app;

const codeOf = (reply: { statusCode: number; json(): { code: string } }) => [reply.statusCode, reply.json().code];

describe("the page says", () => {
  test("who lends, and that a sandbox's lender is a sample", async () => {
    const { disclosure } = await browse((await open()).url).view();
    expect(disclosure.lender).toEqual({
      name: "Sample Lender (sandbox)",
      registration: "no registration: sandbox sample",
      isSample: true,
    });
    expect(disclosure.lateFee).toContain("1% of that payment, at least NGN 100.00");
    expect(disclosure.complaints).toMatch(/support@lender\.example.*FCCPC/);
  });

  test("what each plan costs a year, and every fee", async () => {
    const { offers } = await browse((await open()).url).view();
    expect(
      offers.map(({ tenor, interestRate, annualRate, totalFees }) => [tenor, interestRate, annualRate, totalFees]),
    ).toEqual([
      [1, 2.5, 34.49, 0],
      [3, 2.5, 54.74, 0],
      [6, 2.5, 62.81, 0],
      [9, 2.5, 65.03, 0],
      [12, 2.5, 65.48, 0],
    ]);
  });
});

describe("a code is sent", () => {
  async function chosen() {
    const page = browse((await open()).url);
    const view = await page.act("terms", { tenor: 3 });
    return { page, view };
  }

  const ask = (page: Awaited<ReturnType<typeof chosen>>["page"], body?: unknown) =>
    page.send("POST", "/hosted/checkout/consent/request", body);

  test("only after the box was ticked", async () => {
    const { page, view } = await chosen();
    const termsHash = view.agreement?.termsHash;
    for (const body of [undefined, {}, { termsHash }, { agreed: false, termsHash }, { agreed: "true", termsHash }]) {
      expect(codeOf(await ask(page, body))).toEqual([422, "validation_failed"]);
    }
    expect(codeOf(await page.send("POST", "/hosted/checkout/consent/verify", { otp: "123456" }))).toEqual([
      422,
      "otp_not_requested",
    ]);
    expect((await ask(page, { agreed: true, termsHash })).statusCode).toBe(200);
  });

  test("only for the text that was ticked", async () => {
    const { page } = await chosen();
    const ticked = await agreementOf(page);
    await page.act("terms", { tenor: 6 });
    expect(codeOf(await ask(page, ticked))).toEqual([409, "consent_terms_changed"]);
    expect(codeOf(await ask(page, { ...ticked, termsHash: "0".repeat(64) }))).toEqual([409, "consent_terms_changed"]);
    expect((await page.view()).consent).toBeNull();
  });

  test("not for the text of another name: the merchant renamed itself meanwhile", async () => {
    const { page } = await chosen();
    const ticked = await agreementOf(page);
    await call("PATCH", "/loans/bnpl/profile", { body: { display_name: "Mama Put" } });
    expect(codeOf(await ask(page, ticked))).toEqual([409, "consent_terms_changed"]);
    await call("PATCH", "/loans/bnpl/profile", { body: { display_name: null } });
  });
});

test("the consent keeps the version and the hash of the text that was ticked", async () => {
  const page = browse((await open()).url);
  const { agreement, disclosure, loan } = await page.act("terms", { tenor: 3 });
  await page.act("consent/request");
  await page.act("consent/verify", { otp: "123456" });
  const { terms, schedule_hash: hash } = (await call("GET", `/loans/bnpl/loans/${loan?.id}/consent`)).json().data;
  expect(hash).toBe(agreement?.termsHash);
  expect(createHash("sha256").update(canonicalJson(terms)).digest("hex")).toBe(hash);
  expect(terms).toMatchObject({
    version: agreement?.version,
    statement: agreement?.statement,
    annual_rate: loan?.annualRate,
    lender: disclosure.lender.name,
    lender_registration: disclosure.lender.registration,
    late_fee: disclosure.lateFee,
    conditions: disclosure.conditions,
    complaints: disclosure.complaints,
  });
  expect(agreement?.statement).toContain("repay NGN 64,500.00");
});

test("a live checkout is not opened where no lender is configured", async () => {
  const plain = await createTestApp({ lender: undefined });
  const key = await issueLiveKeyFor(plain.db, plain.merchant.merchant.id);
  const customerId = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
  const body = await app.order({ customer_id: customerId, cancel_url: "https://shop.example.com/basket" });
  expect(codeOf(await plain.call("POST", "/loans/bnpl/checkout-sessions", { body, key }))).toEqual([
    503,
    "lender_not_configured",
  ]);
});

test("live loans are made in the configured name, and a sandbox's never are", () => {
  expect(lenderFor({ lender: testLender }, "LIVE")).toEqual(testLender);
  expect(lenderFor({ lender: testLender }, "SANDBOX").name).toContain("Sample");
  expect(complaintsText(testLender)).toMatch(
    /help@akowe\.example or call 0700 256 9300.*complain to the Lagos State Consumer Protection Agency: lascopa\.example\.$/,
  );
});

describe("the items of an order", () => {
  const items = [
    { name: "Solar lamp set", quantity: 2, amount: 49_500 },
    { name: "Delivery", quantity: 1, amount: 10_500 },
  ];

  test("are shown to the merchant and on the page", async () => {
    const session = await open({ items });
    expect(session.items).toEqual(items);
    expect((await browse(session.url).view()).items).toEqual(items);
    expect((await app.read((await open()).id)).items).toEqual([]);
  });

  test.each([
    ["do not add up to the amount", [{ name: "Lamp", quantity: 2, amount: 30_000.01 }], "items"],
    ["add up only when the pieces are counted", [{ name: "Lamp", quantity: 2, amount: 30_000 }], "items"],
    ["have no name", [{ name: " ", quantity: 1, amount: 60_000 }], "items[0].name"],
    ["count nothing", [{ name: "Lamp", quantity: 0, amount: 60_000 }], "items[0].quantity"],
    ["have half a kobo", [{ name: "Lamp", quantity: 1, amount: 59_999.995 }], "items[0].amount"],
  ])("are refused when they %s", async (_, wrong, field) => {
    const reply = await call("POST", "/loans/bnpl/checkout-sessions", { body: await app.order({ items: wrong }) });
    expect(codeOf(reply)).toEqual([422, "validation_failed"]);
    expect(reply.json().errors.map((error: { field: string }) => error.field)).toEqual([field]);
  });

  test("belong to the order: the same reference with others is refused", async () => {
    const body = await app.order({ items });
    expect((await call("POST", "/loans/bnpl/checkout-sessions", { body })).statusCode).toBe(201);
    expect((await call("POST", "/loans/bnpl/checkout-sessions", { body })).statusCode).toBe(200);
    for (const other of [[], [{ name: "Lamp", quantity: 1, amount: 60_000 }]]) {
      const reply = await call("POST", "/loans/bnpl/checkout-sessions", { body: { ...body, items: other } });
      expect([...codeOf(reply), reply.json().data.fields]).toEqual([409, "reference_conflict", ["items"]]);
    }
  });
});

test("an order that was paid shows its plan and what it costs to the end", async () => {
  const page = browse((await open()).url);
  await page.act("terms", { tenor: 3 });
  await page.act("consent/request");
  await page.act("consent/verify", { otp: "123456" });
  await (await app.toCardPage(page)).pay(goodCard);
  await app.advance({ seconds: 10 });
  expect(await page.view()).toMatchObject({ step: "completed", agreement: null, loan: { annualRate: 54.74 } });
});
