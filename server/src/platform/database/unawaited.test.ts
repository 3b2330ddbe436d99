/** Writes that nobody waits for are done or fail with their transaction, as awaited ones. */
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { asOwner } from "../../../testing/work.ts";
import { createDatabase, createPool, type Database, inTransaction, type PlainTx } from "./database.ts";
import { unawaited } from "./unawaited.ts";

const { appUrl, ownerUrl } = await createTestDatabase();
await asOwner(
  ownerUrl,
  "create table written (n integer primary key); grant select, insert, update, delete on written to jara_app",
);

function open(preparedStatements: boolean): Database {
  const db = createDatabase(createPool({ url: appUrl, poolSize: 1, preparedStatements }));
  afterAll(() => db.destroy());
  return db;
}

const write = (tx: PlainTx, n: number) => unawaited(() => sql`insert into written values (${n})`.execute(tx));
const rows = async (db: Database) =>
  (await sql<{ n: number }>`select n from written order by n`.execute(db)).rows.map(({ n }) => n);

describe.each([
  ["in pipeline mode", open(true)],
  ["through a pooler", open(false)],
])("%s", (_, db) => {
  test("they are written when the transaction is committed, and seen by what follows in it", async () => {
    const seen = await inTransaction(db, async (tx) => {
      await sql`delete from written`.execute(tx);
      await write(tx, 1);
      await write(tx, 2);
      const found = await sql<{ count: number }>`select count(*)::int as count from written`.execute(tx);
      await write(tx, 3);
      return found.rows[0]?.count;
    });
    expect([seen, await rows(db)]).toEqual([2, [1, 2, 3]]);
  });

  test("one that fails as the last takes its transaction with it, for its own reason", async () => {
    const failing = inTransaction(db, async (tx) => {
      await write(tx, 4);
      await write(tx, 4);
      return "done";
    });
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    expect(await rows(db)).toEqual([1, 2, 3]);
  });

  test("what is awaited after one that failed fails for the same reason", async () => {
    const failing = inTransaction(db, async (tx) => {
      await write(tx, 1);
      await sql`select 1`.execute(tx);
    });
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    expect(await rows(db)).toEqual([1, 2, 3]);
  });

  test("a transaction whose work fails is rolled back for the reason of the work", async () => {
    const failing = inTransaction(db, async (tx) => {
      await write(tx, 5);
      throw new Error("no money");
    });
    await expect(failing).rejects.toThrow("no money");
    expect(await rows(db)).toEqual([1, 2, 3]);
  });

  test("one that is refused for a moment is tried again with its transaction", async () => {
    let tries = 0;
    await inTransaction(db, async (tx) => {
      tries += 1;
      const failOnce = sql.raw(
        `do $$ begin if ${tries} = 1 then raise exception 'not now' using errcode = '40001'; end if; end $$`,
      );
      await unawaited(() => sql`${failOnce}`.execute(tx));
      await write(tx, 6);
    });
    expect([tries, await rows(db)]).toEqual([2, [1, 2, 3, 6]]);
    await sql`delete from written where n = 6`.execute(db);
  });
});
