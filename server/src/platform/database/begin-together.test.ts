import { sql } from "kysely";
import type pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { asOwner } from "../../../testing/work.ts";
import { beginTogether } from "./begin-together.ts";
import { createDatabase, createPool, type Database, inTransaction, runTransaction } from "./database.ts";

interface Asked {
  readonly text: string;
  answer(): void;
  fail(error: Error): void;
}

/** A connection whose answers come when the test says so, with the number of writes to its socket. */
function slowConnection() {
  const asked: Asked[] = [];
  let [corked, writes, unsent] = [0, 0, 0];
  const flush = (): void => {
    if (corked > 0 || unsent === 0) return;
    unsent = 0;
    writes += 1;
  };
  const stream = {
    cork: () => {
      corked += 1;
    },
    uncork: () => {
      corked -= 1;
      flush();
    },
  };
  const query = (text: string): Promise<unknown> =>
    new Promise((resolve, fail) => {
      asked.push({ text, answer: () => resolve({ rows: [text] }), fail });
      unsent += 1;
      flush();
    });
  const client = { query, connection: { stream } } as unknown as pg.ClientBase;
  beginTogether(client);
  return {
    client,
    texts: () => asked.map(({ text }) => text),
    writes: () => writes,
    last: (): Asked => asked.at(-1) ?? expect.fail("nothing was asked"),
    first: (): Asked => asked[0] ?? expect.fail("nothing was asked"),
  };
}

const isOpen = async (answer: Promise<unknown>): Promise<boolean> => {
  const open = Symbol("open");
  return (await Promise.race([answer, new Promise((resolve) => setImmediate(resolve, open))])) === open;
};

describe("on the wire", () => {
  test("BEGIN goes out with the first statement, in one write, and nobody waits for it", async () => {
    const { client, texts, writes } = slowConnection();
    await client.query("begin");
    void client.query("select 1");
    expect(texts()).toEqual(["begin", "select 1"]);
    expect(writes()).toBe(1);
  });

  test("the first statement is answered when both are", async () => {
    const { client, first, last } = slowConnection();
    await client.query("begin");
    const answer = client.query("select 1");
    last().answer();
    expect(await isOpen(answer)).toBe(true);
    first().answer();
    expect(await answer).toEqual({ rows: ["select 1"] });
  });

  test("the first statement fails when BEGIN did, whatever it said itself", async () => {
    const { client, first, last } = slowConnection();
    await client.query("begin");
    const answer = client.query("select 1");
    first().fail(new Error("no transaction for you"));
    last().answer();
    await expect(answer).rejects.toThrow("no transaction for you");
  });

  test("a transaction without a statement is rolled back in order", async () => {
    const { client, texts, writes } = slowConnection();
    await client.query("begin");
    void client.query("rollback");
    expect(texts()).toEqual(["begin", "rollback"]);
    expect(writes()).toBe(1);
  });

  test("a writer waits for COMMIT", async () => {
    const { client, first, last } = slowConnection();
    await client.query("begin");
    const wrote = client.query("insert");
    first().answer();
    last().answer();
    await wrote;
    const committed = client.query("commit");
    expect(await isOpen(committed)).toBe(true);
    last().answer();
    expect(await committed).toEqual({ rows: ["commit"] });
  });

  test("a reader does not wait for COMMIT, and does not hear of its failure", async () => {
    const { client, first, last } = slowConnection();
    await client.query("start transaction read only");
    const read = client.query("select 1");
    first().answer();
    last().answer();
    await read;
    expect(await client.query("commit")).toMatchObject({ command: "COMMIT" });
    last().fail(new Error("the line is cut"));
    await client.query("begin");
    expect(await isOpen(client.query("insert"))).toBe(true);
  });
});

describe("with PostgreSQL", async () => {
  const { appUrl, ownerUrl } = await createTestDatabase();

  function open(poolSize: number): Database {
    const db = createDatabase(createPool({ url: appUrl, poolSize }));
    afterAll(() => db.destroy());
    return db;
  }

  const transactionId = (db: Database): Promise<string | undefined> =>
    sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(db).then(({ rows }) => rows[0]?.id);

  test("statements of a transaction belong together, among many at once on few connections", async () => {
    const db = open(2);
    const ids = await Promise.all(
      Array.from({ length: 40 }, () =>
        inTransaction(db, async (tx) => [await transactionId(tx), await transactionId(tx)]),
      ),
    );
    for (const [first, second] of ids) expect(second).toBe(first);
    expect(new Set(ids.map(([first]) => first)).size).toBe(40);
  });

  test("a reader writes nothing, and leaves a connection that writes again", async () => {
    const db = open(1);
    const isReading = (tx: Database) =>
      sql<{ on: string }>`select current_setting('transaction_read_only') as on`
        .execute(tx)
        .then(({ rows }) => rows[0]?.on);
    for (let time = 0; time < 3; time += 1) {
      expect(await runTransaction(db, isReading, "read only")).toBe("on");
      expect(await runTransaction(db, isReading, "read write")).toBe("off");
    }
  });

  test("a transaction whose work fails is rolled back, and the connection goes on", async () => {
    const db = open(1);
    const broken = inTransaction(db, (tx) => sql`select 1 / 0`.execute(tx));
    await expect(broken).rejects.toThrow(/division by zero/);
    const refused = inTransaction(db, async () => {
      throw new Error("changed our mind");
    });
    await expect(refused).rejects.toThrow("changed our mind");
    expect(await inTransaction(db, transactionId)).toMatch(/^\d+$/);
  });

  test("a connection that ends between two transactions costs nobody an answer", async () => {
    const db = open(1);
    const whoAmI = (tx: Database) =>
      sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx).then(({ rows }) => rows[0]?.pid);
    const before = await runTransaction(db, whoAmI, "read only");
    await asOwner(ownerUrl, `select pg_terminate_backend(${before})`);
    expect(await inTransaction(db, whoAmI)).not.toBe(before);
  });
});
