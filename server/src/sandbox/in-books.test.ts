import { randomUUID } from "node:crypto";
import type pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createMerchant } from "../../testing/factories.ts";
import { type Books, bookRows, booksOf, inBooks } from "./in-books.ts";

const { db, pool } = await createTestDatabase();
const mine = (await createMerchant(db, "Mine")).environment.id;
const theirs = (await createMerchant(db, "Theirs")).environment.id;

const insert = `insert into simulated_message.messages
  (sandbox, message_id, channel, recipient, text, status, attempts, sent_at)
  values ($1, gen_random_uuid(), 'sms', $2, $3, 'delivered', $4, $5)`;

const textsIn = async (sandbox: string) => {
  const found = await booksOf(pool, sandbox).query<{ text: string }>("select text from simulated_message.messages", []);
  return found.rows.map(({ text }) => text);
};

test("a statement sees the page of its sandbox and no other, and leaves no sandbox behind", async () => {
  for (const sandbox of [mine, theirs]) {
    await booksOf(pool, sandbox).query(insert, [sandbox, "+2348031234567", sandbox, 1, new Date()]);
  }
  expect([await textsIn(mine), await textsIn(theirs)]).toEqual([[mine], [theirs]]);
  const refused = expect.objectContaining({ code: "42501" });
  const foreign = booksOf(pool, mine).query(insert, [theirs, "+2348031234567", "", 1, new Date()]);
  await expect(foreign).rejects.toEqual(refused);
  expect((await pool.query("select text from simulated_message.messages")).rows).toEqual([]);
});

test("a transaction of the books is bound to its sandbox too", async () => {
  const seen = await inBooks(pool, theirs, async (client) => {
    return (await client.query("select distinct sandbox from simulated_message.messages")).rows;
  });
  expect(seen).toEqual([{ sandbox: theirs }]);
});

test.each([
  "it's",
  '"; drop table simulated_message.messages; --',
  "\\'; select 1; --",
  "$1 $2 $$ $3",
  "E'\\x41' \\n ₦ 😀",
  "'||(select 1)||'",
])("what is written in comes back as it was: %s", async (text) => {
  const { environment } = await createMerchant(db);
  await booksOf(pool, environment.id).query(insert, [environment.id, text, text, 2n, new Date()]);
  const found = await booksOf(pool, environment.id).query(
    "select text, attempts from simulated_message.messages where recipient = $2 and text = any ($1) and $3::text is null",
    [["other", text], text, null],
  );
  expect(found.rows).toEqual([{ text, attempts: 2 }]);
});

const insertVends = `insert into simulated_biller.vends as v
    (sandbox, request_id, category, provider, product_code, customer, amount, reference, status, attempts)
  select $1::uuid, id, 'airtime', 'mtn', 'mtn-airtime', '08031234567', $3::bigint, 'r', 'delivered', 1
  from unnest($2::uuid[]) as id`;
const endings = {
  whenAllAreNew: "returning v.request_id as id, v.attempts",
  whenSomeAreKnown: `on conflict (sandbox, request_id) do update set attempts = v.attempts + 1
    returning v.request_id as id, v.attempts`,
};

/** Books that remember how often they were asked. */
function counted(books: Books): Books & { asked: number } {
  const counting = {
    asked: 0,
    query: <Row extends pg.QueryResultRow>(...question: Parameters<Books["query"]>) => {
      counting.asked += 1;
      return books.query<Row>(...question);
    },
  };
  return counting;
}

test("new rows are booked in one statement, and known ones are counted in a second", async () => {
  const { environment } = await createMerchant(db);
  const books = counted(booksOf(pool, environment.id));
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
  const book = async (...ids: string[]) => {
    const rows = await bookRows<{ id: string; attempts: number }>(books, insertVends, endings, [
      environment.id,
      ids,
      50_000n,
    ]);
    return rows.map(({ id, attempts }) => [id, attempts]);
  };
  expect(await book(first, second)).toEqual([
    [first, 1],
    [second, 1],
  ]);
  expect(books.asked).toBe(1);
  expect(await book(third, first)).toEqual([
    [third, 1],
    [first, 2],
  ]);
  expect(books.asked).toBe(3);
});

test("what is wrong with a row is not taken for a known one, and nothing is booked", async () => {
  const { environment } = await createMerchant(db);
  const books = counted(booksOf(pool, environment.id));
  const booking = bookRows(books, insertVends, endings, [environment.id, [randomUUID()], 0n]);
  await expect(booking).rejects.toMatchObject({ code: "23514" });
  expect(books.asked).toBe(1);
  const kept = await books.query("select from simulated_biller.vends where sandbox = $1::uuid", [environment.id]);
  expect(kept.rows).toEqual([]);
});
