/** A page's address outlives its use: in a browser's history, a chat, a mail. A day after the end it opens nothing. */
import { describe, expect, test } from "vitest";
import { type Browser, createCheckoutApp, goodCard } from "../../../testing/checkout/checkout-sessions.ts";

const app = await createCheckoutApp();
const { call, open, browse, browseCard, advance, toCardPage } = app;

const aDay = 24 * 60 * 60;

/** Everything that a browser can ask of a checkout. */
const checkoutCalls = [
  ["GET", "/hosted/checkout", undefined],
  ["POST", "/hosted/checkout/terms", { tenor: 3 }],
  ["POST", "/hosted/checkout/consent/request", undefined],
  ["POST", "/hosted/checkout/consent/verify", { otp: "123456" }],
  ["POST", "/hosted/checkout/card-link", undefined],
  ["POST", "/hosted/checkout/cancel", undefined],
] as const;

const cardCalls = [
  ["GET", "/hosted/card-link", undefined],
  ["POST", "/hosted/card-link/card", { cardToken: "tok_any" }],
  ["POST", "/hosted/card-link/start", undefined],
  ["POST", "/hosted/card-link/ask", undefined],
  ["POST", "/hosted/card-vault/tokens", { number: goodCard, expMonth: 12, expYear: 2030, cvv: "123" }],
] as const;

async function expectClosed(page: Browser, calls: typeof checkoutCalls | typeof cardCalls): Promise<void> {
  for (const [method, path, body] of calls) {
    const reply = await page.send(method, path, body);
    expect([reply.statusCode, reply.json().code], path).toEqual([404, "page_ended"]);
    expect(reply.json().data).toBeNull();
  }
}

async function buy() {
  const page = browse((await open()).url);
  await page.act("terms", { tenor: 3 });
  await page.act("consent/request");
  await page.act("consent/verify", { otp: "123456" });
  const card = await toCardPage(page);
  await card.pay(goodCard);
  return { page, card };
}

describe("a checkout's page", () => {
  test("is closed a day after the order was paid, and its card page too", async () => {
    const { page, card } = await buy();
    await advance({ seconds: 10 });
    await advance({ seconds: aDay - 11 });
    expect((await page.view()).step).toBe("completed");
    expect((await card.view()).status).toBe("linked");
    await advance({ seconds: 11 });
    await expectClosed(page, checkoutCalls);
    await expectClosed(card, cardCalls);
  });

  test("is closed a day after it was cancelled", async () => {
    const page = browse((await open()).url);
    await page.act("cancel");
    await advance({ seconds: aDay - 1 });
    expect((await page.view()).step).toBe("cancelled");
    await advance({ seconds: 1 });
    await expectClosed(page, checkoutCalls);
  });

  test("is closed a day after it expired", async () => {
    const page = browse((await open()).url);
    await advance({ seconds: 2 * aDay - 1 });
    expect((await page.view()).step).toBe("expired");
    await advance({ seconds: 1 });
    await expectClosed(page, checkoutCalls);
  });

  test("stays open while the customer's money is on its way, however long that takes", async () => {
    const { page } = await buy();
    const down = await call("PUT", "/sandbox/banks/058/health", { body: { status: "down" } });
    expect(down.statusCode, down.body).toBe(200);
    await advance({ seconds: 3 * aDay });
    expect((await page.view()).step).toBe("processing");
    await call("PUT", "/sandbox/banks/058/health", { body: { status: "up" } });
  });
});

describe("a card page", () => {
  async function linkFor(customerId: string) {
    return browseCard((await call("POST", `/loans/bnpl/customers/${customerId}/cards/link`)).json().data.url);
  }

  test("that nobody used is closed a day after it expired", async () => {
    const page = await linkFor(await app.customer());
    await advance({ seconds: 30 * 60 + aDay - 1 });
    expect((await page.view()).status).toBe("expired");
    await advance({ seconds: 1 });
    await expectClosed(page, cardCalls);
  });

  test("whose place another took is closed a day later", async () => {
    const customerId = await app.customer();
    const older = await linkFor(customerId);
    await linkFor(customerId);
    await advance({ seconds: aDay - 1 });
    expect((await older.view()).status).toBe("stale");
    await advance({ seconds: 1 });
    await expectClosed(older, cardCalls);
  });
});
