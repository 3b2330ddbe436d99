/**
 * Adds a slice as CONTRIBUTING.md says: a folder, a line in the list, a migration. Nothing else knows gift cards, and
 * everything works: money, refusals, events, scopes, the operator's list, verify, reset and the documents.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { refuseUndeclaredEvents } from "../../testing/document/declared-events.ts";
import { settlementAccount } from "../../testing/gift-cards/gift-card.ts";
import { giftCardSlice } from "../../testing/gift-cards/slice.ts";
import type { GiftVendor } from "../../testing/gift-cards/vendor.ts";
import { withOwner } from "../../testing/work.ts";
import { systemAccountId } from "../ledger/account.ts";
import { readBalances } from "../ledger/balance.ts";
import { inEnvironment } from "../platform/database/database.ts";
import { createSequencer } from "../platform/records/sequencer.ts";
import { resealAll } from "../platform/secrets/reseal.ts";
import { buildHouse, slices } from "./slices.ts";

const recipe = join(import.meta.dirname, "..", "..", "testing", "gift-cards");

let answer: Awaited<ReturnType<GiftVendor["issue"]>> = { outcome: "unknown" };
const ordered = new Map<string, number>();
const vendor: GiftVendor = {
  issue: async ({ orderId }) => {
    ordered.set(orderId, (ordered.get(orderId) ?? 0) + 1);
    return answer;
  },
};
const house = buildHouse([...slices, giftCardSlice(vendor)]);
const migration = readFileSync(join(recipe, "gift-cards.sql"), "utf8");
const testing = await createTestApp({ house, migration });
const { call, clock, db, merchant, operate } = testing;
const environmentId = merchant.environment.id;
const sequence = createSequencer(db);

beforeEach(async () => {
  await call("POST", "/sandbox/reset");
  const frozen = await call("PUT", "/sandbox/clock", { body: { mode: "frozen", seed: "gifts" } });
  expect(frozen.statusCode).toBe(200);
  await call("POST", "/sandbox/wallets/fund", { body: { amount: 10_000 } });
  answer = { outcome: "issued", code: "JUMIA-4711" };
});

const wanted = { brand: "jumia", amount: 5_000, reference: "gift-1" };
const buy = (body: object = {}, headers = {}) => call("POST", "/gift-cards", { body: { ...wanted, ...body }, headers });
const read = async (id: string) => (await call("GET", `/gift-cards/${id}`)).json().data;
const balance = async () => (await call("GET", "/wallets/balance")).json().data;
const verify = () => inEnvironment(db, environmentId, (tx) => house.verify(tx));
const settled = () =>
  inEnvironment(db, environmentId, async (tx) => {
    const account = systemAccountId(environmentId, settlementAccount);
    return (await readBalances(tx, [account])).get(account);
  });

describe("a slice by the recipe", () => {
  test("holds the price, orders, pays the vendor and tells the merchant", async () => {
    const bought = await buy();
    expect(bought.statusCode).toBe(201);
    const card = await read(bought.json().data.id);
    expect(card).toMatchObject({ status: "delivered", amount: 5_000, reference: "gift-1" });
    expect(await balance()).toMatchObject({ available: 5_000, held: 0 });
    expect(await settled()).toBe(500_000n);
    expect(ordered.get(card.id)).toBe(1);
    await sequence();
    const events = (await call("GET", "/events?event=gift_card.delivered")).json().data;
    expect(events).toMatchObject([{ event: "gift_card.delivered", data: card }]);
    const lines = (await call("GET", "/wallets/transactions")).json().data;
    expect(lines.map(({ type }: { type: string }) => type)).toContain("gift_card.held");
    expect(await verify()).toEqual([]);
  });

  test("gives the price back when the vendor refuses", async () => {
    answer = { outcome: "refused", code: "sold_out" };
    const { id } = (await buy()).json().data;
    expect(await read(id)).toMatchObject({ status: "failed", failureCode: "sold_out" });
    expect(await balance()).toMatchObject({ available: 10_000, held: 0 });
    expect(await verify()).toEqual([]);
  });

  test("asks again while the vendor owes an answer, and an operator sees it meanwhile", async () => {
    answer = { outcome: "unknown" };
    const { id } = (await buy()).json().data;
    expect(await balance()).toMatchObject({ available: 5_000, held: 5_000 });
    const owed = (await operate("GET", "/operator/unknowns?olderThan=0")).json().data;
    expect(owed).toMatchObject([{ type: "gift_card", id, brand: "jumia", amount: 5_000 }]);
    answer = { outcome: "issued", code: "JUMIA-4712" };
    await clock.advance(environmentId, { seconds: 600 });
    expect(await read(id)).toMatchObject({ status: "delivered" });
    expect((await operate("GET", "/operator/unknowns?olderThan=0")).json().data).toEqual([]);
  });

  test("waits in the queues and for a person's decision, and is found by the search", async () => {
    answer = { outcome: "unknown" };
    const { id } = (await buy()).json().data;
    const queues = (await operate("GET", "/operator/queues")).json().data;
    expect(queues).toContainEqual(expect.objectContaining({ kind: "gift_cards", environment: "SANDBOX", depth: 1 }));
    await clock.advance(environmentId, { seconds: 120 });
    const decisions = (await operate("GET", "/operator/decisions?kind=gift_card")).json().data;
    expect(decisions).toMatchObject([{ kind: "gift_card", id, name: "gift-1", detail: "jumia", amount: 5_000 }]);
    const found = (await call("GET", "/search?q=gift-1")).json().data;
    expect(JSON.stringify(found)).toContain(`/gift-cards/${id}`);
  });

  test("finds a repeated reference, refuses another content, and keeps replies", async () => {
    const first = await buy({}, { "idempotency-key": "k-1" });
    expect((await buy({}, { "idempotency-key": "k-1" })).body).toBe(first.body);
    const again = await buy();
    expect(again.statusCode).toBe(200);
    expect(again.json().data.id).toBe(first.json().data.id);
    expect((await buy({ amount: 4_000 })).json()).toMatchObject({ code: "reference_conflict" });
    expect(await balance()).toMatchObject({ available: 5_000 });
  });

  test("refuses what it must, with its own codes", async () => {
    expect((await buy({ brand: "nobody" })).json()).toMatchObject({ code: "unknown_brand" });
    expect((await buy({ amount: 1_000_000 })).json()).toMatchObject({ code: "insufficient_funds" });
    const { id } = (await buy()).json().data;
    const strange = await call("GET", `/gift-cards/${id}`, { key: testing.otherMerchant.secretKey });
    expect(strange.json()).toMatchObject({ code: "gift_card_not_found" });
  });

  test("has scopes of its own", async () => {
    const limits = { name: "gifts", scopes: ["gift_cards:read"] };
    const issued = await operate("POST", `/operator/environments/${environmentId}/keys`, limits);
    expect(issued.statusCode).toBe(201);
    const { key } = issued.json().data;
    expect((await call("POST", "/gift-cards", { key, body: wanted })).json()).toMatchObject({ code: "scope_missing" });
    expect((await call("GET", "/gift-cards/01932c5f-1b2c-7d3e-8f40-5a6b7c8d9e0f", { key })).statusCode).toBe(404);
  });

  test("is emptied with the sandbox and seals what is secret", async () => {
    await buy();
    expect((await resealAll(db, testing.dependencies.sealer, house.sealedColumns)).unreadable).toEqual([]);
    await call("POST", "/sandbox/reset");
    expect((await inEnvironment(db, environmentId, (tx) => sql`select id from gift_cards`.execute(tx))).rows).toEqual(
      [],
    );
  });

  test("is in the documents", async () => {
    const document = (await call("GET", "/openapi.json")).json();
    expect(Object.keys(document.paths)).toContain("/gift-cards/{id}");
    expect(document.tags.map(({ name }: { name: string }) => name)).toContain("Gift cards");
    expect(document.components.schemas).toHaveProperty("GiftCard");
    expect(Object.keys(document.webhooks)).toContain("gift_card.delivered");
    await withOwner(testing.ownerUrl, (owner) => refuseUndeclaredEvents(owner, house.events));
  });
});
