import { expect, test } from "vitest";
import { createBorrowingApp } from "../../../testing/checkout/borrowers.ts";
import { withCardFaults } from "../../../testing/checkout/card-faults.ts";
import { silentLog } from "../../../testing/work.ts";
import { inEnvironment, type Tx } from "../../platform/database/database.ts";
import { sweep } from "../../platform/work/sweeper.ts";
import type { CardRail } from "../../rails/card.ts";
import { deskOf } from "../../rails/desk.ts";
import { booksOf } from "../../sandbox/in-books.ts";
import { loanMoved } from "../follow-loans.ts";
import { hashPageToken } from "../pages/page-token.ts";
import { cardSweepSources } from "./cards.job.ts";
import { completeCardLink } from "./complete-card-link.ts";

const app = await createBorrowingApp();
const { call, advance } = app;
const environmentId = app.merchant.environment.id;
const create = (customerId: string, body: unknown = {}, options = {}) =>
  call("POST", `/loans/bnpl/customers/${customerId}/cards/link`, { body, ...options });
const complete = (linkId: string, outcome: unknown = "linked", options = {}) =>
  call("POST", `/sandbox/card-links/${linkId}/complete`, { body: { outcome }, ...options });
const cardsOf = async (customerId: string) =>
  (await call("GET", `/loans/bnpl/customers/${customerId}/cards`)).json().data as Record<string, unknown>[];

async function opened(customerId?: string): Promise<{ customerId: string; linkId: string }> {
  const owner = customerId ?? (await app.customer());
  const reply = await create(owner);
  expect(reply.statusCode, reply.body).toBe(201);
  return { customerId: owner, linkId: reply.json().data.link_id };
}

test("a link has a page of its own, whose token is in the fragment and not in the database", async () => {
  const customerId = await app.customer();
  const { data } = (await create(customerId, { callback_url: "https://shop.example.com/done?order=1" })).json();
  const { link_id: linkId, url } = data;
  expect(url).toMatch(new RegExp(`^http://localhost:4000/card-links/${linkId}#[\\w-]{43}$`));
  const row = await app.within((tx) =>
    tx
      .selectFrom("card_links")
      .select(["token_hash", "sealed_token", "callback_url", "created_at", "expires_at"])
      .where("id", "=", linkId)
      .executeTakeFirstOrThrow(),
  );
  const token = url.split("#")[1];
  expect(row.token_hash).toEqual(hashPageToken(token));
  expect(row.sealed_token.includes(token)).toBe(false);
  expect(row.callback_url).toBe("https://shop.example.com/done?order=1");
  expect(row.expires_at.getTime() - row.created_at.getTime()).toBe(30 * 60_000);
});

test.each([
  ["OKAFOR ADAEZE NGOZI", "card"],
  ["Mrs Adaeze Okafor", "card"],
  ["ADAEZE", "none"],
  ["CHIDI EZE", "none"],
  ["ADAEZE OKAFOR LTD", "none"],
  [undefined, "none"],
])("a card whose bank names %s shows by %s that the customer owns the BVN", async (holder, proof) => {
  const { customerId, linkId } = await opened();
  const mine = (tx: Tx) =>
    tx.updateTable("customers").set({ identity_proof: "none" }).where("id", "=", customerId).execute();
  await app.within(mine);
  const rail = await app.rails.rails.card.plain({ environmentId, kind: "SANDBOX" });
  if (rail === null) throw new Error("the sandbox has no card network");
  const naming: CardRail = {
    ...rail,
    link: async (order) => {
      const answer = await rail.link(order);
      const isNamed = answer.outcome === "linked" && holder !== undefined;
      return isNamed ? { ...answer, card: { ...answer.card, holder } } : answer;
    },
  };
  const cardToken = await app.rails.simulatedCard.makeToken(environmentId, "linked");
  const deps = {
    ...app.dependencies,
    loanMoved,
    rails: { card: deskOf({ SANDBOX: naming, LIVE: null }) },
    log: silentLog,
  };
  await completeCardLink(deps, { environmentId, linkId, cardToken });
  const shown = await app.within((tx) =>
    tx.selectFrom("customers").select("identity_proof").where("id", "=", customerId).executeTakeFirstOrThrow(),
  );
  expect(shown.identity_proof).toBe(proof);
});

test("a repeated request with the same Idempotency-Key gets the same link", async () => {
  const customerId = await app.customer();
  const headers = { "idempotency-key": `link-${customerId}` };
  const first = await create(customerId, {}, { headers });
  expect((await create(customerId, {}, { headers })).json()).toEqual(first.json());
});

test.each([
  ["http://shop.example.com/done"],
  ["javascript:alert(1)"],
  ["//shop.example.com"],
  ["https://user:pw@shop.example.com/"],
  ["https://shop.example.com/ a"],
  [`https://shop.example.com/${"a".repeat(2_048)}`],
  [""],
  [42],
])("%j is no address to return to", async (callback_url) => {
  const reply = await create(await app.customer(), { callback_url });
  expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
  expect(reply.json().errors[0].field).toBe("callback_url");
});

test("linking shows the card, makes it the default and tells the merchant", async () => {
  const { customerId, linkId } = await opened();
  const reply = await complete(linkId);
  expect(reply.statusCode).toBe(200);
  expect(reply.json().data).toMatchObject({ linkId, customerId, status: "linked", reason: null });
  const [card, ...others] = await cardsOf(customerId);
  expect(others).toEqual([]);
  expect(card).toMatchObject({ brand: "visa", last4: "4081", is_default: true });
  expect(Object.keys(card ?? {}).toSorted()).toEqual([
    "bank",
    "brand",
    "exp_month",
    "exp_year",
    "id",
    "is_default",
    "last4",
  ]);
  expect(await app.heard(linkId)).toEqual(["customer.card.link.successful"]);
});

test("a loan that waited for a card is approved when one is linked", async () => {
  const customerId = await app.customer();
  const loanId = await app.loan(customerId);
  await app.consent(loanId);
  expect(await app.status(loanId)).toBe("pending_card");
  await app.link(customerId, "linked");
  await advance({ seconds: 10 });
  expect(await app.status(loanId)).toBe("active");
});

test("a refused card is told, and another can be tried with the same link", async () => {
  const { customerId, linkId } = await opened();
  const refused = await complete(linkId, "declined");
  expect(refused.json().data).toMatchObject({ status: "declined", card: null, reason: { code: "05" } });
  expect(await cardsOf(customerId)).toEqual([]);
  expect((await complete(linkId)).json().data).toMatchObject({ status: "linked", reason: null });
  expect(await app.heard(linkId)).toEqual(["customer.card.link.failed", "customer.card.link.successful"]);
});

test("the card linked last is the default", async () => {
  const customerId = await app.customer();
  await app.link(customerId, "linked");
  await advance({ seconds: 1 });
  await app.link(customerId, "declines_later");
  expect((await cardsOf(customerId)).map(({ last4, is_default }) => [last4, is_default])).toEqual([
    ["6666", true],
    ["4081", false],
  ]);
});

test("a link that was used, replaced or is too old links nothing", async () => {
  const used = await opened();
  await complete(used.linkId);
  const again = await complete(used.linkId);
  expect([again.statusCode, again.json().code]).toEqual([409, "card_link_used"]);
  const stale = await opened();
  await opened(stale.customerId);
  const replaced = await complete(stale.linkId);
  expect([replaced.statusCode, replaced.json().code]).toEqual([409, "card_link_stale"]);
  const late = await opened();
  await advance({ seconds: 30 * 60 });
  const tooLate = await complete(late.linkId);
  expect([tooLate.statusCode, tooLate.json().code]).toEqual([409, "card_link_expired"]);
  expect(await cardsOf(late.customerId)).toEqual([]);
});

test("of completions that arrive together one links a card", async () => {
  const { customerId, linkId } = await opened();
  const replies = await Promise.all(Array.from({ length: 6 }, () => complete(linkId)));
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(replies.filter(({ statusCode }) => statusCode === 409)).toHaveLength(5);
  expect(await cardsOf(customerId)).toHaveLength(1);
});

test("a repeated completion with the same Idempotency-Key is answered as before", async () => {
  const { linkId } = await opened();
  const headers = { "idempotency-key": `complete-${linkId}` };
  const first = await complete(linkId, "linked", { headers });
  const again = await complete(linkId, "linked", { headers });
  expect(again.json()).toEqual(first.json());
  expect(again.headers["idempotent-replayed"]).toBe("true");
});

test("another merchant finds neither customer, link nor cards", async () => {
  const { customerId, linkId } = await opened();
  const key = app.otherMerchant.secretKey;
  expect((await create(customerId, {}, { key })).json().code).toBe("checkout_customer_not_found");
  expect((await complete(linkId, "linked", { key })).json().code).toBe("card_link_not_found");
  expect((await call("GET", `/loans/bnpl/customers/${customerId}/cards`, { key })).statusCode).toBe(404);
  expect(await cardsOf(customerId)).toEqual([]);
});

test.each([["paid"], [null], [7], [undefined]])("%j is no outcome", async (outcome) => {
  const { linkId } = await opened();
  const reply = await call("POST", `/sandbox/card-links/${linkId}/complete`, { body: { outcome } });
  expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
});

test("a link whose answer was lost stays in processing, cannot be used twice, and is asked about again", async () => {
  const { customerId, linkId } = await opened();
  const { db, dependencies, rails } = app;
  const faulty = withCardFaults(rails.simulatedCard.rail, { lostLinkAnswers: 1 });
  const deps = {
    db,
    sealer: dependencies.sealer,
    rails: { card: deskOf({ SANDBOX: faulty.rail, LIVE: null }) },
    loanMoved,
    log: silentLog,
  };
  const cardToken = await rails.simulatedCard.makeToken(environmentId, "linked");
  const link = await completeCardLink(deps, { environmentId, linkId, cardToken });
  expect(link.status).toBe("processing");
  const meanwhile = await complete(linkId);
  expect([meanwhile.statusCode, meanwhile.json().code]).toEqual([409, "card_link_in_progress"]);
  await advance({ seconds: 10 });
  expect(await cardsOf(customerId)).toHaveLength(1);
  expect(await app.heard(linkId)).toEqual(["customer.card.link.successful"]);
  expect(faulty.links[0]?.linkId).not.toBe(linkId);
});

test("the sweeper takes up a link of a process that died before it asked, and forgets the vault's token", async () => {
  const { customerId, linkId } = await opened();
  const { db, dependencies, rails } = app;
  const dead = async () => {
    throw new Error("killed");
  };
  const card = deskOf({ SANDBOX: { ...rails.simulatedCard.rail, link: dead }, LIVE: null });
  const deps = { db, sealer: dependencies.sealer, rails: { card }, loanMoved, log: silentLog };
  const cardToken = await rails.simulatedCard.makeToken(environmentId, "linked");
  await expect(completeCardLink(deps, { environmentId, linkId, cardToken })).rejects.toThrow("killed");
  expect(await sweep(db, cardSweepSources, silentLog)).toBe(1);
  await advance({ seconds: 1 });
  expect(await cardsOf(customerId)).toHaveLength(1);
  const row = await inEnvironment(db, environmentId, (tx) =>
    tx.selectFrom("card_links").select("sealed_card_token").where("id", "=", linkId).executeTakeFirstOrThrow(),
  );
  expect(row.sealed_card_token).toBeNull();
});

test("the network's token is sealed", async () => {
  const known = await booksOf(app.pool, environmentId).query<{ token: string }>(
    "select token from simulated_card.links where token is not null",
    [],
  );
  const kept = await app.within((tx) => tx.selectFrom("customer_cards").select("sealed_token").execute());
  expect(known.rows.length).toBeGreaterThan(0);
  for (const { token } of known.rows) {
    expect(kept.some(({ sealed_token }) => sealed_token?.includes(token) === true)).toBe(false);
  }
});
