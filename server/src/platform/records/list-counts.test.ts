import fc from "fast-check";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { inEnvironment, readEnvironment, type Tx } from "../database/database.ts";
import { resetSandbox } from "../time/reset-sandbox.ts";
import { coverMinutes, finalCount, foldListCounts, splitSpan, verifyListCounts } from "./list-counts.ts";

const { db, ownerUrl } = await createTestDatabase();
const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
afterAll(() => owner.end());

const farthest = 2 ** 28;
const minute = fc.integer({ min: 0, max: farthest });
/** Where levels meet. */
const border = fc.tuple(
  fc.constantFrom(64, 4096, 262_144),
  fc.integer({ min: 0, max: 1_000 }),
  fc.constantFrom(-1, 0, 1),
);
const anyMinute = fc.oneof(
  minute,
  border.map(([size, n, off]) => Math.max(size * n + off, 0)),
);

describe("buckets", () => {
  test("make up any minutes without a gap and without an overlap, few of each level", () => {
    fc.assert(
      fc.property(anyMinute, anyMinute, (one, other) => {
        const [first, beyond] = [Math.min(one, other), Math.max(one, other)];
        const ranges = coverMinutes(first, beyond);
        const spans = ranges
          .map((range) => ({ ...range, from: range.first * 64 ** range.level, to: range.beyond * 64 ** range.level }))
          .sort((a, b) => a.from - b.from);
        let at = first;
        for (const { from, to } of spans) {
          expect(from).toBe(at);
          expect(to).toBeGreaterThan(from);
          at = to;
        }
        expect(at).toBe(Math.max(first, beyond));
        const lower = ranges.filter(({ level }) => level < 3);
        for (const range of lower) expect(range.beyond - range.first).toBeLessThan(64 + 64);
        expect(ranges.length).toBeLessThanOrEqual(7);
      }),
    );
  });

  test("of everything are those of the highest level", () => {
    const { first, beyond, edges } = splitSpan({ from: null, to: null });
    expect([coverMinutes(first, beyond), edges]).toEqual([[{ level: 3, first: 0, beyond: farthest / 64 ** 3 }], []]);
  });

  test("of nothing are none", () => {
    expect(coverMinutes(5, 5)).toEqual([]);
  });
});

describe("a span", () => {
  const moment = fc.integer({ min: 0, max: 10_000_000 }).map((ms) => new Date(ms));

  test("is its whole minutes and its edges, and each moment lies in one of them", () => {
    fc.assert(
      fc.property(moment, moment, moment, (one, other, at) => {
        const [from, to] = one < other ? [one, other] : [other, one];
        const { first, beyond, edges } = splitSpan({ from, to });
        const inMinutes = at.getTime() >= first * 60_000 && at.getTime() < beyond * 60_000;
        const places = [inMinutes, ...edges.map((edge) => at >= edge.from && at < edge.to)].filter(Boolean);
        expect(places.length).toBe(at >= from && at < to ? 1 : 0);
        for (const edge of edges) expect(edge.to.getTime() - edge.from.getTime()).toBeLessThan(60_000);
      }),
    );
  });

  test.each([
    ["before all clocks", { from: null, to: new Date("1960-01-01") }, [0, 0]],
    ["after all clocks", { from: new Date("9998-01-01T00:00:30Z"), to: null }, [farthest, farthest]],
    ["of one moment", { from: new Date(60_000), to: new Date(60_000) }, [1, 1]],
  ])("%s has no minutes and no edges", (_, span, [first, beyond]) => {
    expect(splitSpan(span)).toEqual({ first, beyond, edges: [] });
  });

  test("inside a minute is one edge", () => {
    const span = { from: new Date(61_000), to: new Date(62_000) };
    expect(splitSpan(span)).toEqual({ first: 2, beyond: 2, edges: [span] });
  });
});

interface Change {
  readonly status: string;
  readonly minute: number;
  readonly change: number;
}

async function add(environmentId: string, changes: readonly Change[]): Promise<void> {
  const column = (name: keyof Change) => changes.map((each) => each[name]);
  await inEnvironment(db, environmentId, (tx) =>
    sql`insert into list_count_deltas (environment_id, resource, status, minute, change)
      select ${environmentId}::uuid, 'things', c.* from unnest(${column("status")}::text[],
        ${column("minute")}::integer[], ${column("change")}::integer[]) c`.execute(tx),
  );
}

const everything = { first: 0, beyond: farthest };
const states = ["good", "bad"];

async function totalOf(environmentId: string, statuses = states, minutes = everything): Promise<bigint | undefined> {
  const read = (tx: Tx) =>
    sql<{ total: bigint }>`select ${finalCount(tx, { resource: "things", statuses }, minutes)} as total`.execute(tx);
  return (await readEnvironment(db, environmentId, read)).rows[0]?.total;
}

const openSandbox = async () => (await createMerchant(db)).environment.id;

describe("counts", () => {
  const change = fc.record({
    status: fc.constantFrom(...states),
    minute: anyMinute.filter((at) => at < farthest),
    change: fc.integer({ min: -3, max: 9 }),
  });
  const span = fc.tuple(anyMinute, anyMinute).map(([one, other]) => [Math.min(one, other), Math.max(one, other)]);

  test("of any minutes are the sum of what was added there, folded or not", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(change, fc.boolean()), { maxLength: 12 }), span, async (added, minutes) => {
        const environmentId = await openSandbox();
        const [first = 0, beyond = 0] = minutes;
        for (const [each, folds] of added) {
          await add(environmentId, [each]);
          if (folds) await foldListCounts(db);
        }
        for (const statuses of [states, ["good"], ["bad"]]) {
          const inside = added.filter(
            ([each]) => statuses.includes(each.status) && each.minute >= first && each.minute < beyond,
          );
          const expected = inside.reduce((sum, [each]) => sum + BigInt(each.change), 0n);
          expect(await totalOf(environmentId, statuses, { first, beyond })).toBe(expected);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("are not changed by folders and writers at the same time", async () => {
    const environmentId = await openSandbox();
    const one = { status: "good", minute: 29_000_000, change: 1 };
    const writes = Array.from({ length: 40 }, () => add(environmentId, [one, { ...one, minute: 29_000_001 }]));
    const folds = Array.from({ length: 20 }, () => foldListCounts(db));
    const reads = Array.from({ length: 20 }, () => totalOf(environmentId));
    await Promise.all([...writes, ...folds]);
    for (const seen of await Promise.all(reads)) expect(seen).toBeLessThanOrEqual(80n);
    expect(await totalOf(environmentId)).toBe(80n);
    await foldListCounts(db);
    expect(await totalOf(environmentId)).toBe(80n);
    const left = await owner.query("select from list_count_deltas where environment_id = $1", [environmentId]);
    expect(left.rowCount).toBe(0);
  });

  test("survive a folder that is killed", async () => {
    const environmentId = await openSandbox();
    await add(environmentId, [{ status: "good", minute: 5, change: 7 }]);
    const folder = new pg.Client({ connectionString: ownerUrl });
    folder.on("error", () => undefined);
    await folder.connect();
    const found = await folder.query<{ pid: number }>("select pg_backend_pid() as pid");
    await folder.query("begin");
    await folder.query("select fold_list_counts()");
    // Another one meanwhile leaves it alone.
    expect(await foldListCounts(db)).toBe(0);
    const gone = new Promise((resolve) => folder.once("end", resolve));
    await owner.query("select pg_terminate_backend($1)", [found.rows[0]?.pid]);
    await gone;
    expect(await totalOf(environmentId)).toBe(7n);
    expect(await foldListCounts(db)).toBeGreaterThan(0);
    expect(await totalOf(environmentId)).toBe(7n);
  });

  test("are another environment's no more than its records are", async () => {
    const [one, other] = [await openSandbox(), await openSandbox()];
    await add(one, [{ status: "good", minute: 5, change: 7 }]);
    await foldListCounts(db);
    expect([await totalOf(one), await totalOf(other)]).toEqual([7n, 0n]);
  });

  test("go with a sandbox that is emptied", async () => {
    const environmentId = await openSandbox();
    await add(environmentId, [{ status: "good", minute: 5, change: 7 }]);
    await foldListCounts(db);
    await add(environmentId, [{ status: "good", minute: 6, change: 1 }]);
    await inEnvironment(db, environmentId, (tx) => resetSandbox(tx));
    await foldListCounts(db);
    expect(await totalOf(environmentId)).toBe(0n);
  });

  test("that are wrong are named by verify, at every length, and put right", async () => {
    const environmentId = await openSandbox();
    const verify = () => readEnvironment(db, environmentId, verifyListCounts);
    expect(await verify()).toEqual([]);
    await add(environmentId, [{ status: "good", minute: 64, change: 2 }]);
    const check = "final records are counted";
    const wrong = [1, 64, 4096, 262_144].map((length) =>
      expect.objectContaining({
        check,
        subject: expect.stringMatching(`^things good 1970.* ${length} min$`),
        found: "2",
      }),
    );
    expect(await verify()).toEqual(wrong);
    await foldListCounts(db);
    expect(await verify()).toEqual(wrong);
    await owner.query("update list_counts set total = 3 where environment_id = $1 and level = 2", [environmentId]);
    expect(await verify()).toContainEqual(expect.objectContaining({ expected: "0", found: "3" }));
    await owner.query("update list_counts set total = 2 where environment_id = $1 and level = 2", [environmentId]);
    await owner.query("select catch_up_list_counts()");
    expect(await verify()).toEqual([]);
    expect(await totalOf(environmentId)).toBe(0n);
  });
});
