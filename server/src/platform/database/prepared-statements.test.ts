import { sql } from "kysely";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createDatabase, createPool } from "./database.ts";

const { appUrl } = await createTestDatabase();

async function namesAfterTwo(preparedStatements: boolean): Promise<string[]> {
  const db = createDatabase(createPool({ url: appUrl, poolSize: 1, preparedStatements }));
  try {
    await sql`select ${1}::integer as one`.execute(db);
    await sql`select ${2}::integer as one`.execute(db);
    const found = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(db);
    return found.rows.map((row) => row.name);
  } finally {
    await db.destroy();
  }
}

test("a statement that is run twice is planned once", async () => {
  expect(await namesAfterTwo(true)).toHaveLength(1);
});

test("a pooler's connections get none", async () => {
  expect(await namesAfterTwo(false)).toEqual([]);
});

test("an error leaves the connection usable and the statement known", async () => {
  const db = createDatabase(createPool({ url: appUrl, poolSize: 1 }));
  const divide = (by: number) => sql<{ result: number }>`select 1 / ${by}::integer as result`.execute(db);
  await expect(divide(0)).rejects.toThrow(/division by zero/);
  expect((await divide(1)).rows).toEqual([{ result: 1 }]);
  await db.destroy();
});
