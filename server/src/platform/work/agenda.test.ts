import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../testing/database.ts";
import { createLive, createMerchant } from "../../../testing/factories.ts";
import { inEnvironment } from "../database/database.ts";
import { setMode } from "../time/clock-control.ts";
import { cancelScheduled, schedule, type TaskEntry } from "./agenda.ts";
import { tick } from "./agenda-ticker.ts";
import { prepareJobs } from "./jobs-schema.ts";

const kind = "test.later";
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await prepareJobs(database.ownerUrl, [kind]);
});

async function createSandbox(): Promise<string> {
  return (await createMerchant(database.db)).environment.id;
}

function book(environmentId: string, entries: readonly TaskEntry[]): Promise<void> {
  return inEnvironment(database.db, environmentId, (tx) => schedule(tx, entries));
}

function readAgenda(environmentId: string) {
  return inEnvironment(database.db, environmentId, (tx) =>
    tx.selectFrom("agenda").select(["subject", "payload", "due_at", "wake_at", "booking"]).orderBy("id").execute(),
  );
}

async function readJobs(environmentId: string): Promise<string[]> {
  const found = await sql<{ subject: string }>`
    select singleton_key as subject from pgboss.job where group_id = ${environmentId} order by 1`.execute(database.db);
  return found.rows.map((row) => row.subject);
}

const inMs = (ms: number): Date => new Date(Date.now() + ms);

describe("the agenda", () => {
  test("what is due now becomes a job and what is due later an entry", async () => {
    const id = await createSandbox();
    await book(id, [
      { kind, subject: "now" },
      { kind, subject: "past", dueAt: inMs(-1_000) },
      { kind, subject: "later", dueAt: inMs(60_000), payload: { try: 2 } },
    ]);
    expect(await readJobs(id)).toEqual(["now", "past"]);
    expect(await readAgenda(id)).toMatchObject([{ subject: "later", payload: { try: 2 } }]);
  });

  test("booking again moves the entry", async () => {
    const id = await createSandbox();
    const dueAt = inMs(120_000);
    await book(id, [{ kind, subject: "a", dueAt: inMs(60_000) }]);
    await book(id, [{ kind, subject: "a", dueAt, payload: { moved: true } }]);
    expect(await readAgenda(id)).toEqual([
      { subject: "a", payload: { moved: true }, due_at: dueAt, wake_at: dueAt, booking: 2 },
    ]);
    await book(id, [{ kind, subject: "a" }]);
    expect(await readAgenda(id)).toEqual([]);
    expect(await readJobs(id)).toEqual(["a"]);
  });

  test("of two bookings of one entry in one call the last holds", async () => {
    const id = await createSandbox();
    const dueAt = inMs(120_000);
    await book(id, [
      { kind, subject: "a", dueAt: inMs(60_000) },
      { kind, subject: "a", dueAt },
    ]);
    expect(await readAgenda(id)).toMatchObject([{ due_at: dueAt }]);
  });

  test("cancelling removes entries of that kind and subject only", async () => {
    const id = await createSandbox();
    await book(
      id,
      ["a", "b", "c"].map((subject) => ({ kind, subject, dueAt: inMs(60_000) })),
    );
    await inEnvironment(database.db, id, (tx) => cancelScheduled(tx, kind, ["a", "c"]));
    expect((await readAgenda(id)).map((entry) => entry.subject)).toEqual(["b"]);
  });

  test("on a clock that stands still even what is due now is an entry, and it does not wake", async () => {
    const id = await createSandbox();
    await setMode(database.db, id, "frozen", false);
    await book(id, [{ kind, subject: "now" }]);
    expect(await readJobs(id)).toEqual([]);
    expect(await readAgenda(id)).toMatchObject([{ subject: "now", wake_at: null }]);
  });

  test("stopping and starting the clock re-times the entries", async () => {
    const id = await createSandbox();
    const dueAt = inMs(3_600_000);
    await book(id, [{ kind, subject: "a", dueAt }]);
    await setMode(database.db, id, "frozen", false);
    expect(await readAgenda(id)).toMatchObject([{ wake_at: null }]);
    const now = inMs(1_800_000);
    await sql`select set_environment_clock(${id}::uuid, 'running', ${now}::timestamptz, null, false)`.execute(
      database.db,
    );
    const [entry] = await readAgenda(id);
    const untilWake = (entry?.wake_at?.getTime() ?? 0) - Date.now();
    expect(untilWake).toBeGreaterThan(1_740_000);
    expect(untilWake).toBeLessThan(1_801_000);
  });

  test("a booking under way when the clock is stopped does not wake in a frozen sandbox", async () => {
    const id = await createSandbox();
    let stopping: Promise<Date> | undefined;
    await inEnvironment(database.db, id, async (tx) => {
      await schedule(tx, [{ kind, subject: "a", dueAt: inMs(60_000) }]);
      stopping = setMode(database.db, id, "frozen", false);
      // The stop waits for this transaction; were it not to, it would be done by now.
      await sql`select pg_sleep(0.1)`.execute(tx);
    });
    await stopping;
    expect(await readAgenda(id)).toMatchObject([{ subject: "a", wake_at: null }]);
  });

  test("a live environment has no clock to set", async () => {
    const live = await createLive(database.db);
    await expect(setMode(database.db, live, "frozen", false)).rejects.toThrow("only a sandbox");
  });
});

describe("the ticker", () => {
  test("moves each due entry once, with several ticking at once", async () => {
    const [first, second] = [await createSandbox(), await createSandbox()];
    const subjects = Array.from({ length: 600 }, (_, index) => `s${String(index).padStart(4, "0")}`);
    const soon = inMs(300);
    for (const id of [first, second])
      await book(
        id,
        subjects.map((subject) => ({ kind, subject, dueAt: soon })),
      );
    await sql`select pg_sleep(greatest(0, extract(epoch from ${soon}::timestamptz - clock_timestamp())))`.execute(
      database.db,
    );
    for (let round = 0; round < 3; round += 1) await Promise.all([1, 2, 3].map(() => tick(database.db, [kind])));
    expect(await readJobs(first)).toEqual(subjects);
    expect(await readJobs(second)).toEqual(subjects);
    expect(await readAgenda(first)).toEqual([]);
  });

  test("rests until the next entry and leaves kinds it does not know", async () => {
    const id = await createSandbox();
    expect(await tick(database.db, [kind])).toBe(200);
    // Far enough away to be still to come when they are written, on the busiest machine.
    await book(id, [
      { kind: "test.of-tomorrow", subject: "a", dueAt: inMs(2_000) },
      { kind, subject: "b", dueAt: inMs(2_000) },
    ]);
    const rest = await tick(database.db, [kind]);
    expect(rest).toBeGreaterThan(0);
    expect(rest).toBeLessThanOrEqual(2_000);
    await expect.poll(() => tick(database.db, [kind]).then(() => readJobs(id)), { interval: 100 }).toEqual(["b"]);
    expect(await readJobs(id)).toEqual(["b"]);
    expect((await readAgenda(id)).map((entry) => entry.subject)).toEqual(["a"]);
  });

  test("takes what is live first, however many of sandboxes have waited longer", async () => {
    const [sandbox, live] = [await createSandbox(), await createLive(database.db)];
    const subjects = Array.from({ length: 5_000 }, (_, index) => `s${index}`);
    await book(
      sandbox,
      subjects.map((subject) => ({ kind, subject, dueAt: inMs(300) })),
    );
    await book(live, [{ kind, subject: "paid for", dueAt: inMs(400) }]);
    await sql`select pg_sleep(0.5)`.execute(database.db);
    await tick(database.db, [kind]);
    expect(await readJobs(live)).toEqual(["paid for"]);
    expect(await readJobs(sandbox)).toHaveLength(499);
    while ((await tick(database.db, [kind])) === 0);
  });

  test("leaves a clock that stands still alone", async () => {
    const id = await createSandbox();
    await setMode(database.db, id, "frozen", false);
    await book(id, [{ kind, subject: "now" }]);
    await tick(database.db, [kind]);
    expect(await readJobs(id)).toEqual([]);
  });
});
