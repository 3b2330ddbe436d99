import { sql } from "kysely";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { readTotal, takePositions } from "../records/pagination.ts";
import { afterCommit, inEnvironment, operatorScope, type Tx, visitEnvironment } from "./database.ts";

const { db, ownerUrl } = await createTestDatabase();
const mine = (await createMerchant(db)).environment.id;
const theirs = (await createMerchant(db)).environment.id;
const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
afterAll(() => owner.end());

async function entered(tx: Tx): Promise<string | undefined> {
  return (await sql<{ id: string }>`select current_environment() as id`.execute(tx)).rows[0]?.id;
}

/** Breaks the connection that the transaction runs on, and returns when it is gone. */
async function breakConnection(tx: Tx): Promise<void> {
  const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
  await owner.query("select pg_terminate_backend($1, 5000)", [own.rows[0]?.pid]);
}

const effects = (name: string) => inEnvironment(db, mine, (tx) => readTotal(tx, name));

test("a transaction knows the environment it is in, and so does PostgreSQL", async () => {
  await inEnvironment(db, mine, async (tx) => {
    expect(tx.environment.id).toBe(mine);
    expect(await entered(tx)).toBe(mine);
  });
});

test("a whole number of eight bytes arrives exact, and a day as its text, in whatever zone", async () => {
  const read = sql`select 9007199254740993::bigint as number, date '2026-01-31' as day`.execute(db);
  expect((await read).rows).toEqual([{ number: 9_007_199_254_740_993n, day: "2026-01-31" }]);
});

test("a visit ends where it began, also when it is refused", async () => {
  await inEnvironment(db, operatorScope, async (tx) => {
    const home = tx.environment;
    expect(await visitEnvironment(tx, mine, entered)).toBe(mine);
    expect([tx.environment, await entered(tx)]).toEqual([home, operatorScope]);
    const refused = visitEnvironment(tx, theirs, () => Promise.reject(new Error("refused")));
    await expect(refused).rejects.toThrow("refused");
    expect([tx.environment, await entered(tx)]).toEqual([home, operatorScope]);
  });
});

test("an error of PostgreSQL during a visit is the error that the caller sees", async () => {
  const failing = inEnvironment(db, operatorScope, (tx) =>
    visitEnvironment(tx, mine, (inside) => sql`select 1 / 0`.execute(inside)),
  );
  await expect(failing).rejects.toMatchObject({ code: "22012" });
});

test("a connection that breaks before COMMIT is replaced, and the work is done once", async () => {
  let tries = 0;
  await inEnvironment(db, mine, async (tx) => {
    tries += 1;
    await takePositions(tx, "broken-before", 1);
    if (tries === 1) await breakConnection(tx);
    await takePositions(tx, "broken-before", 1);
  });
  expect(tries).toBe(2);
  expect(await effects("broken-before")).toBe(2n);
});

test("a connection that breaks as COMMIT is sent is reported, never tried again", async () => {
  let tries = 0;
  const work = inEnvironment(db, mine, async (tx) => {
    tries += 1;
    await takePositions(tx, "broken-at-commit", 1);
    await breakConnection(tx);
  });
  await expect(work).rejects.toThrow();
  expect(tries).toBe(1);
});

test("what waits for a commit is called when the try that made it is committed, and never else", async () => {
  const called: string[] = [];
  let tries = 0;
  await inEnvironment(db, mine, async (tx) => {
    tries += 1;
    const mine = `try ${tries}`;
    afterCommit(tx, () => called.push(mine));
    afterCommit(tx, () => called.push(`${mine} again`));
    expect(called).toEqual([]);
    if (tries === 1) await sql`do $$ begin raise serialization_failure; end $$`.execute(tx);
  });
  expect(called).toEqual(["try 2", "try 2 again"]);
  const refused = inEnvironment(db, mine, async (tx) => {
    afterCommit(tx, () => called.push("refused"));
    throw new Error("no");
  });
  await expect(refused).rejects.toThrow("no");
  expect(called).toHaveLength(2);
});

test("of two transactions that lock each other out one is tried again, and both are done", async () => {
  const bothHoldOne = Promise.withResolvers<void>();
  let holding = 0;
  const take = (first: string, second: string) =>
    inEnvironment(db, mine, async (tx) => {
      await takePositions(tx, first, 1);
      holding += 1;
      if (holding === 2) bothHoldOne.resolve();
      await bothHoldOne.promise;
      await takePositions(tx, second, 1);
    });
  await Promise.all([take("left", "right"), take("right", "left")]);
  expect(holding).toBe(3);
  expect([await effects("left"), await effects("right")]).toEqual([2n, 2n]);
});
