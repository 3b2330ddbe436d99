import { expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createMerchant } from "../../testing/factories.ts";
import { booksOf, inBooks } from "./in-books.ts";

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
