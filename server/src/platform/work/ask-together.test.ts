import { sql } from "kysely";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createLive, createMerchant } from "../../../testing/factories.ts";
import { type EnvironmentKind, inEnvironment, readEnvironment, type Tx } from "../database/database.ts";
import { takePositions } from "../records/pagination.ts";
import { type AskedEnvironment, createAskTogether, type Question } from "./ask-together.ts";

const { db, pool } = await createTestDatabase();
const ask = createAskTogether((environmentId, work) => readEnvironment(db, environmentId, work));

const sandbox: AskedEnvironment = await open();

async function open(): Promise<AskedEnvironment> {
  const { environment } = await createMerchant(db);
  return { environmentId: environment.id, kind: "SANDBOX" };
}

/** How long some lists are. A key that is called `bad` breaks the statement. */
function createQuestion(before: (keys: readonly string[]) => Promise<void> = async () => {}) {
  const batches: (readonly string[])[] = [];
  const question: Question<bigint> = {
    async find(tx: Tx, keys) {
      batches.push(keys);
      await before(keys);
      const found = await sql<{ resource: string; total: bigint }>`
        select c.resource, c.total / (case when 'bad' = any (${keys}::text[]) then 0 else 1 end) as total
        from list_counters c
        where c.environment_id = ${tx.environment.id} and c.resource = any (${keys}::text[])`.execute(tx);
      return new Map(found.rows.map((row) => [row.resource, row.total]));
    },
  };
  return { question, batches };
}

/** Holds what comes until it is let go, and says when something has come. */
function createGate() {
  const { promise: open, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>();
  return { open, letGo, reached, arrive };
}

const lengthen = ({ environmentId }: AskedEnvironment, list: string, by = 1) =>
  inEnvironment(db, environmentId, (tx) => takePositions(tx, list, by));

test("who ask at the same moment share one statement, each key named once, and each gets its own", async () => {
  const { question, batches } = createQuestion();
  await lengthen(sandbox, "short", 2);
  await lengthen(sandbox, "long", 70);
  const keys = ["short", "long", "short", "none"];
  const found = await Promise.all(keys.map((key) => ask(sandbox, question, key)));
  expect(found).toEqual([2n, 70n, 2n, undefined]);
  expect(batches).toEqual([["short", "long", "none"]]);
});

test("nobody gets an answer to what was asked before they came", async () => {
  const gate = createGate();
  const { question } = createQuestion(async () => {
    gate.arrive();
    await gate.open;
  });
  const early = ask(sandbox, question, "fresh");
  await gate.reached;
  await lengthen(sandbox, "fresh", 3);
  const late = ask(sandbox, question, "fresh");
  gate.letGo();
  // The early one may see it, because its statement ran later; the late one must.
  expect([undefined, 3n]).toContain(await early);
  expect(await late).toBe(3n);
});

test("random writes and questions: everybody sees at least what was written before they asked", async () => {
  const { question } = createQuestion();
  const lists = ["a", "b", "c"];
  const others = await Promise.all([open(), open()]);
  const visit = async (place: number): Promise<boolean> => {
    const where = [sandbox, ...others][place % 3] ?? sandbox;
    const list = lists[(place % 7) % 3] ?? "a";
    const first = await lengthen(where, list);
    const found = await ask(where, question, list);
    return found !== undefined && found >= first;
  };
  const seen = await Promise.all(Array.from({ length: 150 }, (_, place) => visit(place)));
  expect(seen.every(Boolean)).toBe(true);
  for (const list of lists) {
    const alone = await readEnvironment(db, sandbox.environmentId, (tx) => question.find(tx, [list]));
    expect(await ask(sandbox, question, list)).toBe(alone.get(list));
  }
});

test("environments do not see each other's, and are not asked together", async () => {
  const { question, batches } = createQuestion();
  const other = await open();
  await lengthen(sandbox, "own", 4);
  await lengthen(other, "own", 9);
  const found = await Promise.all([sandbox, other, sandbox, other].map((where) => ask(where, question, "own")));
  expect(found).toEqual([4n, 9n, 4n, 9n]);
  expect(batches).toHaveLength(2);
});

test("a key that breaks the statement fails alone", async () => {
  const { question } = createQuestion();
  await lengthen(sandbox, "good", 5);
  await lengthen(sandbox, "bad", 5);
  const keys = ["good", "none", "bad", "short", "good", "bad"];
  const told = await Promise.allSettled(keys.map((key) => ask(sandbox, question, key)));
  expect(told.map(({ status }) => status)).toEqual(keys.map((key) => (key === "bad" ? "rejected" : "fulfilled")));
  expect(told[0]).toMatchObject({ value: 5n });
  expect(told[2]).toMatchObject({ reason: { message: "division by zero" } });
});

test("a database that is away turns everybody away at once, and nobody is asked for alone", async () => {
  const { question } = createQuestion();
  let tries = 0;
  const unreachable = createAskTogether(() => {
    tries += 1;
    return Promise.reject(Object.assign(new Error("no route"), { code: "ECONNREFUSED" }));
  });
  const told = await Promise.allSettled(["a", "b", "c"].map((key) => unreachable(sandbox, question, key)));
  expect(told).toMatchObject(told.map(() => ({ status: "rejected", reason: { code: "ECONNREFUSED" } })));
  expect(tries).toBe(1);
});

test("one question that waits holds up no other, and one environment no other", async () => {
  const gate = createGate();
  const slow = createQuestion(async (keys) => {
    if (!keys.includes("held")) return;
    gate.arrive();
    await gate.open;
  });
  const quick = createQuestion();
  const held = Array.from({ length: 200 }, () => ask(sandbox, slow.question, "held"));
  await gate.reached;
  expect(await ask(sandbox, quick.question, "none")).toBeUndefined();
  expect(await ask(await open(), slow.question, "none")).toBeUndefined();
  const kind: EnvironmentKind = "LIVE";
  expect(await ask({ environmentId: await createLive(db), kind }, slow.question, "none")).toBeUndefined();
  // Two batches at a time: two hundred callers of one environment hold two connections.
  expect(pool.totalCount - pool.idleCount).toBeLessThanOrEqual(2);
  gate.letGo();
  expect(await Promise.all(held)).toEqual(held.map(() => undefined));
});

test("a batch is not part of the transaction in which its first caller happens to be", async () => {
  const { question } = createQuestion();
  const within = await readEnvironment(db, sandbox.environmentId, () => ask(sandbox, question, "none"));
  expect(within).toBeUndefined();
});
