import { Ajv } from "ajv";
import { sql } from "kysely";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { inEnvironment, type Tx } from "../database/database.ts";
import {
  pageMetaOf,
  pageOf,
  pageQuery,
  pageRange,
  paginationOf,
  readPage,
  readTotal,
  takePositions,
} from "./pagination.ts";

const { db, ownerUrl } = await createTestDatabase(20);

/** A list as a domain would keep one. */
beforeAll(() =>
  asOwner(`
    create table things (environment_id uuid not null, list_position bigint not null, name text not null,
      unique (environment_id, list_position));
    call protect_tenant_table('things');
    grant select, insert on things to jara_app;`),
);

async function asOwner(statements: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(statements);
  await owner.end();
}

async function addThing(tx: Tx, name: string): Promise<bigint> {
  const position = await takePositions(tx, "things", 1);
  await sql`insert into things values (${tx.environment.id}, ${position}, ${name})`.execute(tx);
  return position;
}

const readThings = (tx: Tx, page: number, limit: number) =>
  readPage(tx, "things", { page, limit }, async ({ first, last }) => {
    const found = await sql<{ name: string }>`
      select name from things where environment_id = ${tx.environment.id}
        and list_position between ${first} and ${last} order by list_position desc limit ${limit}`.execute(tx);
    return found.rows.map((row) => row.name);
  });

test.each([
  { total: 0n, page: 1, limit: 10, first: 1n, last: 0n },
  { total: 1n, page: 1, limit: 10, first: 1n, last: 1n },
  { total: 25n, page: 1, limit: 10, first: 16n, last: 25n },
  { total: 25n, page: 3, limit: 10, first: 1n, last: 5n },
  { total: 25n, page: 4, limit: 10, first: 1n, last: 0n },
  { total: 30n, page: 3, limit: 10, first: 1n, last: 10n },
  { total: 30n, page: 4, limit: 10, first: 1n, last: 0n },
  { total: 10_000_000n, page: 100_000, limit: 100, first: 1n, last: 100n },
  { total: 5n, page: Number.MAX_SAFE_INTEGER, limit: 100, first: 1n, last: 0n },
])("of $total rows, page $page of $limit is $first to $last", ({ total, page, limit, first, last }) => {
  expect(pageRange(total, page, limit)).toEqual({ first, last });
});

test.each([
  { total: 0n, page: 1, limit: 10, totalPages: 0, hasNextPage: false, hasPreviousPage: false },
  { total: 10n, page: 1, limit: 10, totalPages: 1, hasNextPage: false, hasPreviousPage: false },
  { total: 11n, page: 1, limit: 10, totalPages: 2, hasNextPage: true, hasPreviousPage: false },
  { total: 11n, page: 2, limit: 10, totalPages: 2, hasNextPage: false, hasPreviousPage: true },
  { total: 11n, page: 9, limit: 10, totalPages: 2, hasNextPage: false, hasPreviousPage: true },
])("$total rows on page $page say what comes before and after", ({ total, page, limit, ...expected }) => {
  expect(paginationOf(total, page, limit)).toEqual({
    currentPage: page,
    itemsPerPage: limit,
    totalItems: Number(total),
    ...expected,
  });
});

test("the loans family names the neighbouring pages", () => {
  expect(pageMetaOf(25n, 1, 10)).toEqual({ current_page: 1, next_page: 2, prev_page: null, per_page: 10 });
  expect(pageMetaOf(25n, 3, 10)).toEqual({ current_page: 3, next_page: null, prev_page: 2, per_page: 10 });
  expect(pageMetaOf(0n, 1, 10)).toEqual({ current_page: 1, next_page: null, prev_page: null, per_page: 10 });
});

test.each([
  { query: {}, fits: true },
  { query: { page: "3", limit: "100" }, fits: true },
  { query: { limit: "101" }, fits: false },
  { query: { limit: "0" }, fits: false },
  { query: { page: "0" }, fits: false },
  { query: { page: "-1" }, fits: false },
  { query: { page: "1.5" }, fits: false },
  { query: { page: "one" }, fits: false },
  { query: { page: "1e300" }, fits: false },
])("the query $query fits: $fits", ({ query, fits }) => {
  expect(new Ajv({ coerceTypes: true }).validate(pageQuery, query)).toBe(fits);
});

test("a list without a query is its first ten", () => {
  expect(pageOf({})).toEqual({ page: 1, limit: 10 });
  expect(pageOf({ page: 4, limit: 50 })).toEqual({ page: 4, limit: 50 });
});

test("pages are exact, newest first, and another environment's list is its own", async () => {
  const [mine, other] = [(await createMerchant(db)).environment.id, (await createMerchant(db)).environment.id];
  for (let number = 1; number <= 23; number += 1) await inEnvironment(db, mine, (tx) => addThing(tx, `mine ${number}`));
  await inEnvironment(db, other, (tx) => addThing(tx, "other 1"));
  const read = (environment: string, page: number) => inEnvironment(db, environment, (tx) => readThings(tx, page, 10));
  const first = await read(mine, 1);
  expect(first.rows).toEqual(Array.from({ length: 10 }, (_, index) => `mine ${23 - index}`));
  expect(first.pagination).toMatchObject({ totalItems: 23, totalPages: 3, hasNextPage: true });
  expect((await read(mine, 3)).rows).toEqual(["mine 3", "mine 2", "mine 1"]);
  const beyond = await read(mine, 4);
  expect(beyond.rows).toEqual([]);
  expect(beyond.pagination).toMatchObject({ currentPage: 4, totalItems: 23, totalPages: 3, hasNextPage: false });
  expect((await read(other, 1)).rows).toEqual(["other 1"]);
});

test("many writers at once, some of whom fail, leave neither gaps nor duplicates", async () => {
  const environment = (await createMerchant(db)).environment.id;
  const write = (writer: number) =>
    inEnvironment(db, environment, async (tx) => {
      await addThing(tx, `writer ${writer}`);
      if (writer % 5 === 0) throw new Error("changed my mind");
    });
  await Promise.allSettled(Array.from({ length: 200 }, (_, writer) => write(writer)));
  const { total, positions } = await inEnvironment(db, environment, async (tx) => {
    const rows = await sql<{ list_position: bigint }>`select list_position from things order by 1`.execute(tx);
    return { total: await readTotal(tx, "things"), positions: rows.rows.map((row) => row.list_position) };
  });
  expect(total).toBe(160n);
  expect(positions).toEqual(Array.from({ length: 160 }, (_, index) => BigInt(index + 1)));
});

test("a reader never sees a hole while writers are at work", async () => {
  const environment = (await createMerchant(db)).environment.id;
  let writing = true;
  const writers = Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let turn = 0; turn < 25; turn += 1) await inEnvironment(db, environment, (tx) => addThing(tx, "x"));
    }),
  ).finally(() => {
    writing = false;
  });
  let reads = 0;
  while (writing) {
    const { rows, total } = await inEnvironment(db, environment, (tx) => readThings(tx, 1, 10));
    expect(rows).toHaveLength(total < 10n ? Number(total) : 10);
    reads += 1;
  }
  await writers;
  expect(reads).toBeGreaterThan(0);
});

test("a batch takes consecutive positions, and an impossible number is refused", async () => {
  const environment = (await createMerchant(db)).environment.id;
  await inEnvironment(db, environment, async (tx) => {
    expect(await takePositions(tx, "batches", 256)).toBe(1n);
    expect(await takePositions(tx, "batches", 10)).toBe(257n);
    expect(await readTotal(tx, "batches")).toBe(266n);
    await expect(takePositions(tx, "batches", 0)).rejects.toThrow("cannot take 0 positions");
    await expect(takePositions(tx, "batches", -3)).rejects.toThrow("cannot take -3 positions");
  });
});

test("the first and the last page of a long list cost the same: one range of one index", async () => {
  const environment = (await createMerchant(db)).environment.id;
  const rows = 200_000;
  await inEnvironment(db, environment, async (tx) => {
    await sql`insert into things select ${environment}::uuid, n, 'thing ' || n
      from generate_series(1::bigint, ${rows}::bigint) n`.execute(tx);
    await takePositions(tx, "things", rows);
  });
  // What autovacuum does after a while; before it, the planner has nothing to go by.
  await asOwner("analyze things");
  const cost = (page: number) => inEnvironment(db, environment, (tx) => explainPage(tx, page));
  const pages = await Promise.all([1, rows / 200, rows / 100].map(cost));
  for (const { plan, blocks } of pages) {
    expect(plan).toContain("things_environment_id_list_position_key");
    expect(plan).not.toMatch(/Seq Scan|Sort|Rows Removed by Filter/);
    // Three levels of index and the few blocks that hold a hundred neighbouring rows.
    expect(blocks).toBeLessThan(20);
  }
});

async function explainPage(tx: Tx, page: number): Promise<{ plan: string; blocks: number }> {
  const total = await readTotal(tx, "things");
  const { first, last } = pageRange(total, page, 100);
  const explained = await sql<{ "QUERY PLAN": string }>`
    explain (analyze, buffers, costs off, timing off)
    select name from things where environment_id = ${tx.environment.id}
      and list_position between ${first} and ${last} order by list_position desc limit 100`.execute(tx);
  const plan = explained.rows.map((row) => row["QUERY PLAN"]).join("\n");
  const counted = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan);
  return { plan, blocks: Number(counted?.[1] ?? 0) + Number(counted?.[2] ?? 0) };
}
