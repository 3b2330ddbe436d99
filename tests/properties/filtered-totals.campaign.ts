/**
 * Random lives of payouts and bills in one sandbox, whose clock goes forward, is set back and is stopped, with batches
 * at the same time, folders in between and resets: every filtered total is what a plain count comes to, and the pages
 * have exactly those records.
 */
import fc from "fast-check";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { inEnvironment } from "../../server/src/platform/database/database.ts";
import { foldListCounts, verifyListCounts } from "../../server/src/platform/records/list-counts.ts";
import { createPayingApp } from "../../server/testing/payments/paying-app.ts";

const app = await createPayingApp();
const { call, db, merchant } = app;
const environmentId = merchant.environment.id;
const owner = new pg.Client({ connectionString: app.ownerUrl });
await owner.connect();
afterAll(() => owner.end());

let made = 0;
const fresh = (ending: string) => {
  made += 1;
  return `total-${made}${ending}`;
};

const ending = fc.constantFrom("", "", "_FAIL", "_REVERSE", "_PENDING");
const collection = fc.constantFrom("transfers" as const, "bills" as const);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant("pay" as const), endings: fc.array(ending, { maxLength: 6 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant("vend" as const), endings: fc.array(ending, { maxLength: 3 }) }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("work" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("steer" as const),
      of: collection,
      way: fc.constantFrom("complete", "fail", "reverse"),
      twice: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("fold" as const), commits: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 9_999 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("set" as const), back: fc.integer({ min: 1, max: 5_000 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant("freeze" as const), mode: fc.constantFrom("frozen", "running") }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("reset" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const payout = { accountNumber: "0690000032", bankCode: "044", amount: 150, currency: "NGN" };
const airtime = { network: "MTN", phoneNumber: "08031234567", amount: 100 };

async function send(path: string, body: object, endings: readonly string[]): Promise<void> {
  const replies = endings.map((each) => call("POST", path, { body: { ...body, reference: fresh(each) } }));
  for (const reply of await Promise.all(replies)) expect(reply.statusCode, reply.body).toBe(201);
}

/** Ends one of the newest by hand. It may be over already: then nothing happens. */
async function steer({ of, way, twice }: Extract<Step, { does: "steer" }>): Promise<void> {
  const { data } = (await call("GET", `/${of}?limit=5`)).json();
  const path = `/sandbox/${of}/${data[made % 5]?.id ?? data[0]?.id}/${way}`;
  const replies = await Promise.all([call("POST", path), ...(twice ? [call("POST", path)] : [])]);
  for (const { statusCode } of replies) expect([200, 404, 409]).toContain(statusCode);
}

/** A folder that dies before its commit leaves everything as it was. */
async function fold(commits: boolean): Promise<void> {
  if (commits) return void (await foldListCounts(db));
  await owner.query("begin");
  await owner.query("select fold_list_counts()");
  await owner.query("rollback");
}

async function setClock(body: object): Promise<void> {
  expect((await call("PUT", "/sandbox/clock", { body })).statusCode).toBe(200);
}

async function play(step: Step): Promise<void> {
  if (step.does === "pay") await send("/transfers", payout, step.endings);
  if (step.does === "vend") await send("/bills/airtime/vend", airtime, step.endings);
  if (step.does === "work") await app.work();
  if (step.does === "steer") await steer(step);
  if (step.does === "fold") await fold(step.commits);
  if (step.does === "wait") await call("POST", "/sandbox/clock/advance", { body: { seconds: step.seconds } });
  if (step.does === "freeze") await setClock({ mode: step.mode });
  if (step.does === "set") {
    const { now } = (await call("GET", "/sandbox/clock")).json().data;
    await setClock({ mode: "running", now: new Date(Date.parse(now) - step.back * 1_000).toISOString() });
  }
  if (step.does === "reset") {
    expect((await call("POST", "/sandbox/reset")).statusCode).toBe(200);
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 1_000_000 } });
  }
}

interface Found {
  readonly id: string;
  readonly status: string;
  readonly created_at: Date;
}

const statusesOf = {
  transfers: ["completed", "failed", "reversed", "pending", "processing", "pending,completed", "failed,reversed"],
  bills: ["successful", "failed", "reversed", "pending", "processing"],
} as const;

/** Ends of spans at the records' own moments, a millisecond beside them, and at the whole minutes around them. */
function momentsOf(rows: readonly Found[]): (Date | null)[] {
  const some = rows.filter((_, n) => n % Math.ceil(rows.length / 3) === 0).map((row) => row.created_at.getTime());
  const around = some.flatMap((at) => [at, at + 1, Math.floor(at / 60_000) * 60_000, Math.ceil(at / 60_000) * 60_000]);
  return [null, ...around.map((at) => new Date(at))];
}

async function holdAgainstRows(of: "transfers" | "bills"): Promise<void> {
  const only = of === "transfers" ? "and purpose = 'payout'" : "";
  const { rows } = await owner.query<Found>(
    `select id, status, created_at from ${of} where environment_id = $1 ${only}`,
    [environmentId],
  );
  const asked = questionsAbout(of, momentsOf(rows));
  // Nothing happens meanwhile, so that all are asked at once.
  await Promise.all(asked.map((question) => holdAgainst(of, rows, question)));
}

interface Question {
  readonly status: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Every status in every span; records of one minute have spans in common, and each is asked about once. */
function questionsAbout(of: "transfers" | "bills", moments: readonly (Date | null)[]): Question[] {
  const spans = moments.map((from, n) => ({ from, to: moments[(n * 7 + made) % moments.length] ?? null }));
  const different = new Map(spans.map((span) => [`${span.from?.getTime()} ${span.to?.getTime()}`, span]));
  const possible = [...different.values()].filter(({ from, to }) => from === null || to === null || to >= from);
  return [null, ...statusesOf[of]].flatMap((status) => possible.map((span) => ({ status, ...span })));
}

async function holdAgainst(
  of: "transfers" | "bills",
  rows: readonly Found[],
  { status, from, to }: Question,
): Promise<void> {
  const query = new URLSearchParams({ limit: "100" });
  if (status !== null) query.set("status", status);
  if (from !== null) query.set("from", from.toISOString());
  if (to !== null) query.set("to", to.toISOString());
  const wanted = rows.filter(
    (row) =>
      (status === null || status.split(",").includes(row.status)) &&
      (from === null || row.created_at >= from) &&
      (to === null || row.created_at < to),
  );
  const { data, pagination } = (await call("GET", `/${of}?${query}`)).json();
  expect([`${query}`, pagination.totalItems]).toEqual([`${query}`, wanted.length]);
  const ids: string[] = data.map(({ id }: Found) => id);
  expect(new Set(ids).size).toBe(Math.min(wanted.length, 100));
  expect(wanted.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
}

test("every filtered total is what a plain count comes to", { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 20 }), async (steps) => {
      await play({ does: "reset" });
      for (const each of steps) await play(each);
      expect(await inEnvironment(db, environmentId, verifyListCounts)).toEqual([]);
      for (const of of ["transfers", "bills"] as const) await holdAgainstRows(of);
      await foldListCounts(db);
      expect(await inEnvironment(db, environmentId, verifyListCounts)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});
