import { expect, test } from "vitest";
import { createCheckoutApp, goodCard, refusedCard } from "../../../testing/checkout/checkout-sessions.ts";

const app = await createCheckoutApp();
const { call, open, browse, browseCard, advance, toCardPage } = app;
const codeOf = (reply: { statusCode: number; json(): { code: string } }) => [reply.statusCode, reply.json().code];

/** A link that the merchant asked for. */
async function linkFor(customerId: string, callbackUrl?: string) {
  const body = callbackUrl === undefined ? {} : { callback_url: callbackUrl };
  const reply = await call("POST", `/loans/bnpl/customers/${customerId}/cards/link`, { body });
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json().data as { link_id: string; url: string; expires_at: string };
}

test("a merchant's link shows whose card is asked for, and where the number goes", async () => {
  const link = await linkFor(await app.customer(), "https://shop.example.com/cards?x=1");
  const view = await browseCard(link.url).view();
  expect(view).toEqual({
    linkId: link.link_id,
    status: "pending",
    environment: "SANDBOX",
    merchantName: "Mama Put Foods",
    tokenizePath: "/hosted/card-vault/tokens",
    expiresAt: link.expires_at,
    merchantLogo: null,
    now: "2026-11-02T08:00:00.000Z",
    card: null,
    reason: null,
    returnUrl: `https://shop.example.com/cards?x=1&link_id=${link.link_id}&status=pending`,
  });
});

test("without a callback there is nowhere to return to", async () => {
  const { url } = await linkFor(await app.customer());
  expect((await browseCard(url).view()).returnUrl).toBeNull();
});

test("a card is linked once", async () => {
  const { url } = await linkFor(await app.customer());
  const page = browseCard(url);
  expect((await page.pay(goodCard)).json().data).toMatchObject({ status: "linked", card: { last4: "4081" } });
  expect(await page.view()).toMatchObject({ status: "linked", card: { brand: "visa", last4: "4081" } });
  expect(codeOf(await page.pay(goodCard))).toEqual([409, "card_link_used"]);
});

test("a card that is sent again under its Idempotency-Key is answered as before", async () => {
  const { url } = await linkFor(await app.customer());
  const page = browseCard(url);
  const cardToken = await page.vault(refusedCard);
  const send = () => page.send("POST", "/hosted/card-link/card", { cardToken }, { "idempotency-key": "card" });
  const first = await send();
  const again = await send();
  expect([first.statusCode, again.body, again.headers["idempotent-replayed"]]).toEqual([200, first.body, "true"]);
});

test("an older link is stale when there is a newer one, and takes no card", async () => {
  const page = browse((await open()).url);
  await page.act("terms", { tenor: 3 });
  await page.act("consent/request");
  await page.act("consent/verify", { otp: "123456" });
  const [older, newer] = [await toCardPage(page), await toCardPage(page)];
  expect(await older.view()).toMatchObject({ status: "stale", returnUrl: expect.stringContaining("/checkout/") });
  expect(codeOf(await older.pay(goodCard))).toEqual([409, "card_link_stale"]);
  expect((await newer.pay(goodCard)).json().data.status).toBe("linked");
});

test("a link that was not used in time is expired", async () => {
  const { url } = await linkFor(await app.customer());
  const page = browseCard(url);
  const cardToken = await page.vault(goodCard);
  await advance({ seconds: 30 * 60 });
  expect((await page.view()).status).toBe("expired");
  const refused = await page.send("POST", "/hosted/card-link/card", { cardToken });
  expect(codeOf(refused)).toEqual([409, "card_link_expired"]);
});

test("a token that the vault does not know is declined", async () => {
  const { url } = await linkFor(await app.customer());
  const page = browseCard(url);
  const reply = await page.send("POST", "/hosted/card-link/card", { cardToken: "tok_unknown" });
  expect(reply.json().data).toMatchObject({ status: "declined", card: null });
});

test.each([
  ["no token", {}],
  ["a number", { cardToken: 4084 }],
  ["an empty token", { cardToken: "" }],
  ["an endless token", { cardToken: "x".repeat(501) }],
])("%s is refused", async (_, body) => {
  const { url } = await linkFor(await app.customer());
  const refused = await browseCard(url).send("POST", "/hosted/card-link/card", body);
  expect(codeOf(refused)).toEqual([422, "validation_failed"]);
});

test("a linked card that was removed since is no longer shown", async () => {
  const customerId = await app.customer();
  const { url } = await linkFor(customerId);
  const page = browseCard(url);
  await page.pay(goodCard);
  const [card] = (await call("GET", `/loans/bnpl/customers/${customerId}/cards`)).json().data;
  expect((await call("DELETE", `/loans/bnpl/customers/${customerId}/cards/${card.id}`)).statusCode).toBe(200);
  expect(await page.view()).toMatchObject({ status: "linked", card: null });
});
