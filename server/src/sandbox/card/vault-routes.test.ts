import pg from "pg";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { openCardPage } from "../../../testing/checkout/card-page.ts";
import { createMerchant, type TestMerchant } from "../../../testing/factories.ts";
import { issueLiveKeyFor } from "../../../testing/keys.ts";
import { asOwner } from "../../../testing/work.ts";
import { booksOf } from "../in-books.ts";
import { vaultPath } from "./simulated-card.ts";

const { db, app, pool, ownerUrl, rails, merchant: first } = await createTestApp();
const card = { number: "4084 0840 8408 4081", expMonth: 12, expYear: 2099, cvv: "408" };
const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
afterAll(() => owner.end());
let merchant: TestMerchant;
let page: string;

beforeEach(async () => {
  merchant = await createMerchant(db);
  page = await openCardPage(ownerUrl, merchant.environment.id);
});

async function send(body: unknown, headers: Readonly<Record<string, string>> = {}, path = vaultPath) {
  const authorization = `Bearer ${page}`;
  const payload = typeof body === "string" ? body : JSON.stringify(body);
  const type = { "content-type": "application/json" };
  const reply = await app.inject({
    method: "POST",
    url: path,
    headers: { authorization, ...type, ...headers },
    payload,
  });
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers };
}

async function tokensOf(sandbox: string): Promise<unknown[]> {
  return (
    await booksOf(pool, sandbox).query("select brand, last4, behaviour from simulated_card.tokens where sandbox = $1", [
      sandbox,
    ])
  ).rows;
}

describe("POST /hosted/card-vault/tokens", () => {
  test("gives a token for a card, and the token links it", async () => {
    const { status, body } = await send(card);
    expect(status).toBe(201);
    expect(body).toEqual({
      status: true,
      message: "Card taken",
      data: { token: expect.stringMatching(/^ctok_[0-9a-f]{48}$/), brand: "visa", last4: "4081" },
    });
    const order = {
      environmentId: merchant.environment.id,
      linkId: first.environment.id,
      customerId: first.merchant.id,
    };
    const answer = await rails.simulatedCard.rail.link({ ...order, cardToken: body.data.token });
    expect(answer).toMatchObject({ outcome: "linked", card: { last4: "4081", expMonth: 12, expYear: 2099 } });
  });

  test("names every bad field at once", async () => {
    const { status, body } = await send({ number: "4084084084084082", expMonth: 13, expYear: 2020, cvv: 408 });
    expect(status).toBe(422);
    expect(body).toMatchObject({ status: false, code: "validation_failed", data: null });
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(["number", "expMonth", "cvv"]);
    expect(await tokensOf(merchant.environment.id)).toEqual([]);
  });

  test.each([["{}"], ["[]"], ["null"], ['"card"'], ["7"], [""]])("refuses the body %s field by field", async (body) => {
    const reply = await send(body);
    expect(reply).toMatchObject({ status: 422, body: { code: "validation_failed" } });
    expect(reply.body.errors).toHaveLength(4);
  });

  test("judges the expiry by the sandbox's clock", async () => {
    const soon = { ...card, expMonth: 1, expYear: 2031 };
    const key = { authorization: `Bearer ${merchant.secretKey}`, "content-type": "application/json" };
    const now = "2031-02-01T00:00:00.000Z";
    const payload = JSON.stringify({ mode: "frozen", now });
    expect((await send(soon)).status).toBe(201);
    await app.inject({ method: "PUT", url: "/sandbox/clock", headers: key, payload });
    page = await openCardPage(ownerUrl, merchant.environment.id, now);
    expect((await send(soon)).body.errors).toEqual([{ field: "expYear", message: "the card has expired" }]);
  });

  test("gives each of two at the same time a token of its own, also under one Idempotency-Key", async () => {
    const headers = { "idempotency-key": "once" };
    const replies = await Promise.all([send(card, headers), send(card, headers)]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(replies.map(({ body }) => body.data.token)).size).toBe(2);
    const kept = await pool.query("select count(*)::int as kept from idempotency_keys");
    expect(kept.rows).toEqual([{ kept: 0 }]);
  });

  test.each([
    ["no token", { authorization: "" }],
    ["a token that nobody has", { authorization: "Bearer nobody" }],
  ])("refuses %s", async (_, headers) => {
    expect(await send(card, headers)).toMatchObject({ status: 401, body: { code: "invalid_page_token" } });
  });

  test("refuses a merchant's key: no server sends cards here", async () => {
    const authorization = `Bearer ${merchant.secretKey}`;
    expect(await send(card, { authorization })).toMatchObject({ status: 401, body: { code: "invalid_page_token" } });
  });

  test("is nowhere for a live page", async () => {
    await issueLiveKeyFor(db, merchant.merchant.id);
    const live = await owner.query<{ id: string }>(
      "select id from environments where merchant_id = $1 and kind = 'LIVE'",
      [merchant.merchant.id],
    );
    page = await openCardPage(ownerUrl, live.rows[0]?.id ?? "");
    expect(await send(card)).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  test("keeps cards of sandboxes apart", async () => {
    await send(card);
    expect(await tokensOf(merchant.environment.id)).toEqual([{ brand: "visa", last4: "4081", behaviour: "links" }]);
    expect(await tokensOf(first.environment.id)).toEqual([]);
  });

  test("takes no more than a card needs", async () => {
    const reply = await send({ ...card, note: "x".repeat(5_000) });
    expect(reply).toMatchObject({ status: 413, body: { code: "body_too_large" } });
  });

  test("a link that is gone by the time opens no vault", async () => {
    await asOwner(ownerUrl, "delete from card_links");
    expect(await send(card)).toMatchObject({ status: 401, body: { code: "invalid_page_token" } });
  });
});
