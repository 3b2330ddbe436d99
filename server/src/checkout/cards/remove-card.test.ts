import { expect, test } from "vitest";
import { createBorrowingApp } from "../../../testing/checkout/borrowers.ts";
import { booksOf } from "../../sandbox/in-books.ts";

const app = await createBorrowingApp();
const { call, advance } = app;
const remove = (customerId: string, cardId: string, options = {}) =>
  call("DELETE", `/loans/bnpl/customers/${customerId}/cards/${cardId}`, options);
const cardsOf = async (customerId: string) =>
  (await call("GET", `/loans/bnpl/customers/${customerId}/cards`)).json().data as { id: string; is_default: boolean }[];

async function withCards(count: number): Promise<{ customerId: string; cardIds: string[] }> {
  const customerId = await app.customer();
  for (let linked = 0; linked < count; linked += 1) {
    await app.link(customerId, "linked");
    await advance({ seconds: 1 });
  }
  return { customerId, cardIds: (await cardsOf(customerId)).map(({ id }) => id) };
}

test("a removed card is gone, and the default passes on to the card linked last", async () => {
  const { customerId, cardIds } = await withCards(3);
  const [newest = "", middle, oldest] = cardIds;
  const reply = await remove(customerId, newest);
  expect([reply.statusCode, reply.json().data]).toEqual([200, { id: newest, deleted: true }]);
  expect(await cardsOf(customerId)).toMatchObject([
    { id: middle, is_default: true },
    { id: oldest, is_default: false },
  ]);
  const again = await remove(customerId, newest);
  expect([again.statusCode, again.json().code]).toEqual([404, "card_not_found"]);
});

test("removing a card that is not the default leaves the default alone", async () => {
  const { customerId, cardIds } = await withCards(2);
  const [newest, oldest = ""] = cardIds;
  await remove(customerId, oldest);
  expect(await cardsOf(customerId)).toMatchObject([{ id: newest, is_default: true }]);
});

test("the network forgets a removed card, and so do we its token", async () => {
  const { customerId, cardIds } = await withCards(1);
  const [cardId = ""] = cardIds;
  await remove(customerId, cardId);
  const row = await app.within((tx) =>
    tx
      .selectFrom("customer_cards")
      .select(["sealed_token", "link_id"])
      .where("id", "=", cardId)
      .executeTakeFirstOrThrow(),
  );
  expect(row.sealed_token).toBeNull();
  const books = await booksOf(app.pool, app.merchant.environment.id).query(
    "select status from simulated_card.links where customer_id = $1",
    [customerId],
  );
  expect(books.rows).toEqual([{ status: "unlinked" }]);
});

test("the only card stays while a loan is not finished, and can go when another was linked", async () => {
  const { customerId, cardIds } = await withCards(1);
  const [cardId = ""] = cardIds;
  await app.loan(customerId);
  const refused = await remove(customerId, cardId);
  expect([refused.statusCode, refused.json().code]).toEqual([409, "card_in_use"]);
  await app.link(customerId, "linked");
  expect((await remove(customerId, cardId)).statusCode).toBe(200);
});

test("of two cards removed at once one stays while a loan is not finished", async () => {
  const { customerId, cardIds } = await withCards(2);
  await app.loan(customerId);
  const replies = await Promise.all(cardIds.map((id) => remove(customerId, id)));
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  expect(await cardsOf(customerId)).toMatchObject([{ is_default: true }]);
});

test("another merchant's card, another customer's card and what is not an id are not found", async () => {
  const { customerId, cardIds } = await withCards(1);
  const [cardId = ""] = cardIds;
  const stranger = await remove(customerId, cardId, { key: app.otherMerchant.secretKey });
  expect([stranger.statusCode, stranger.json().code]).toEqual([404, "checkout_customer_not_found"]);
  const other = await remove(await app.customer(), cardId);
  expect([other.statusCode, other.json().code]).toEqual([404, "card_not_found"]);
  expect((await remove(customerId, "4081")).statusCode).toBe(404);
  expect(await cardsOf(customerId)).toHaveLength(1);
});
