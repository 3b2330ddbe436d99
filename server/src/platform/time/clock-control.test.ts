import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { asOwner, silentLog } from "../../../testing/work.ts";
import { inEnvironment } from "../database/database.ts";
import { schedule, type TaskEntry } from "../work/agenda.ts";
import type { Task, TaskKinds } from "../work/jobs.ts";
import { prepareJobs } from "../work/jobs-schema.ts";
import { askForAdvance, readAdvance } from "./clock-advances.ts";
import { type ClockControl, createClockControl, setMode } from "./clock-control.ts";
import { createClockRepair } from "./clock-repair.ts";
import { type ClockChange, setClock } from "./clock-setting.ts";
import { createEnvironmentLocks, type EnvironmentLocks } from "./environment-lock.ts";

let database: TestDatabase;
let locks: EnvironmentLocks;
let control: ClockControl;
/** What ran, in its order, with the environment's time at that moment. */
let ran: { subject: string; at: string }[];
let failing: Set<string>;

const kind = "test.step";
const dawn = new Date("2026-11-01T06:00:00.000Z");
const after = (ms: number): Date => new Date(dawn.getTime() + ms);
const day = 86_400_000;

async function handle(task: Task): Promise<void> {
  await inEnvironment(database.db, task.environmentId, async (tx) => {
    if (failing.has(task.subject)) throw new Error(`${task.subject} fails`);
    ran.push({ subject: task.subject, at: tx.environment.clock.now().toISOString() });
    const { follow } = task.payload as { follow?: { subject: string; afterMs: number }[] };
    const now = tx.environment.clock.now().getTime();
    await schedule(
      tx,
      (follow ?? []).map(({ subject, afterMs }) => ({ kind, subject, dueAt: new Date(now + afterMs) })),
    );
  });
}

const kinds: TaskKinds = new Map([[kind, { handle }]]);

beforeAll(async () => {
  database = await createTestDatabase();
  await prepareJobs(database.ownerUrl, [kind]);
  locks = createEnvironmentLocks({ url: database.appUrl });
  control = createClockControl({ db: database.db, log: silentLog, locks, kinds });
});

afterAll(() => locks.close());

async function createSandbox(change: ClockChange = { mode: "frozen", now: dawn, seed: "s" }): Promise<string> {
  ran = [];
  failing = new Set();
  const { environment } = await createMerchant(database.db);
  await set(environment.id, change);
  return environment.id;
}

function set(environmentId: string, change: ClockChange): Promise<Date> {
  return inEnvironment(database.db, environmentId, (tx) => setClock(tx, environmentId, change));
}

function book(environmentId: string, entries: readonly TaskEntry[]): Promise<void> {
  return inEnvironment(database.db, environmentId, (tx) => schedule(tx, entries));
}

const ranSubjects = (): string[] => ran.map((run) => run.subject);

describe("an advance", () => {
  test("runs a thousand entries in the order of their due times, each at its own time", async () => {
    const id = await createSandbox();
    const places = Array.from({ length: 1_000 }, (_, place) => place);
    // Booked in another order than they fall due; three share each due time and go by their booking.
    const booked = places.map((place) => (place * 7) % 1_000);
    await book(
      id,
      booked.map((n) => ({ kind, subject: String(n), dueAt: after((n % 333) * 60_000) })),
    );
    const advance = await control.advance(id, { days: 1 });
    const expected = booked
      .map((n, place) => ({ n, place, due: n % 333 }))
      .sort((a, b) => a.due - b.due || a.place - b.place)
      .map(({ n, due }) => ({ subject: String(n), at: after(due * 60_000).toISOString() }));
    expect(ran).toEqual(expected);
    expect(advance).toEqual({ from: dawn, to: after(day), ran: 1_000, nextDueAt: null });
  });

  test("runs follow-ups in their turn, also those due at once", async () => {
    const id = await createSandbox();
    const follow = [
      { subject: "at once", afterMs: 0 },
      { subject: "in two hours", afterMs: 2 * 3_600_000 },
      { subject: "too late", afterMs: 2 * day },
    ];
    await book(id, [
      { kind, subject: "first", dueAt: after(3_600_000), payload: { follow } },
      { kind, subject: "second", dueAt: after(2 * 3_600_000) },
    ]);
    const advance = await control.advance(id, { days: 1 });
    expect(ranSubjects()).toEqual(["first", "at once", "second", "in two hours"]);
    expect(advance).toMatchObject({ ran: 4, nextDueAt: after(3_600_000 + 2 * day) });
  });

  test("an entry that books itself again is kept", async () => {
    const id = await createSandbox();
    await book(id, [
      { kind, subject: "daily", dueAt: after(1_000), payload: { follow: [{ subject: "daily", afterMs: 0 }] } },
    ]);
    await control.advance(id, { seconds: 1 });
    expect(ranSubjects()).toEqual(["daily", "daily"]);
    expect((await control.read(id)).nextDueAt).toBeNull();
  });

  test.each([
    ["seconds", { seconds: 90 }, after(90_000)],
    ["calendar days of Lagos", { days: 2 }, after(2 * day)],
    ["a moment", { to: after(5_000) }, after(5_000)],
    ["the next due time", { until: "next_due" as const }, after(7_200_000)],
  ])("goes by %s", async (_by, by, to) => {
    const id = await createSandbox();
    await book(id, [{ kind, subject: "a", dueAt: after(7_200_000) }]);
    expect(await control.advance(id, by)).toMatchObject({ from: dawn, to });
    expect((await control.read(id)).now).toEqual(to);
  });

  test("to the next due time stays where it is when nothing is due", async () => {
    const id = await createSandbox();
    expect(await control.advance(id, { until: "next_due" })).toEqual({ from: dawn, to: dawn, ran: 0, nextDueAt: null });
  });

  test("back in time is refused", async () => {
    const id = await createSandbox();
    await expect(control.advance(id, { to: after(-1) })).rejects.toMatchObject({
      code: "clock_goes_back",
      status: 422,
    });
    expect((await control.read(id)).now).toEqual(dawn);
  });

  test("a second one at the same time is refused and changes nothing", async () => {
    const id = await createSandbox();
    await locks.hold(id, async () => {
      const rival = createEnvironmentLocks({ url: database.appUrl });
      const other = createClockControl({ db: database.db, log: silentLog, locks: rival, kinds });
      await expect(other.advance(id, { days: 1 })).rejects.toMatchObject({ code: "clock_moving", status: 409 });
      await rival.close();
    });
    expect((await control.read(id)).now).toEqual(dawn);
  });

  test("is not refused because somebody has the clock for a moment", async () => {
    const id = await createSandbox();
    const rival = createEnvironmentLocks({ url: database.appUrl });
    const { promise: looked, resolve: lookAway } = Promise.withResolvers<void>();
    const looking = rival.hold(id, () => looked);
    const isHeld = async () => (await locks.tryHold(id, async () => true)) === undefined;
    await vi.waitUntil(isHeld);
    const advancing = control.advance(id, { days: 1 });
    setTimeout(lookAway, 100);
    expect(await advancing).toMatchObject({ to: after(86_400_000) });
    await looking;
    await rival.close();
  });

  test("stands at the due time of a task that keeps failing, and loses nothing", async () => {
    const id = await createSandbox();
    await book(
      id,
      ["a", "b", "c"].map((subject, place) => ({ kind, subject, dueAt: after(place * 1_000) })),
    );
    failing.add("b");
    await expect(control.advance(id, { days: 1 })).rejects.toMatchObject({
      code: "clock_task_failed",
      data: { kind, subject: "b", dueAt: after(1_000).toISOString() },
    });
    expect(await control.read(id)).toMatchObject({ now: after(1_000), nextDueAt: after(1_000) });
    failing.clear();
    await control.advance(id, { days: 1 });
    expect(ranSubjects()).toEqual(["a", "b", "c"]);
  });

  test("of a running clock lets it run on from there", async () => {
    const id = await createSandbox({ mode: "running", now: dawn });
    await book(id, [{ kind, subject: "a", dueAt: after(60_000) }]);
    const { from, to } = await control.advance(id, { days: 1 });
    expect(to.getTime() - from.getTime()).toBe(day);
    expect(ran).toEqual([{ subject: "a", at: after(60_000).toISOString() }]);
    const { now, mode } = await control.read(id);
    expect(mode).toBe("running");
    expect(now.getTime() - to.getTime()).toBeLessThan(60_000);
    expect(now.getTime()).toBeGreaterThanOrEqual(to.getTime() - 2);
  });
});

describe("a frozen sandbox", () => {
  test("settles what is due where the clock stands, and nothing else", async () => {
    const id = await createSandbox();
    await book(id, [
      { kind, subject: "now", payload: { follow: [{ subject: "follow-up", afterMs: 0 }] } },
      { kind, subject: "later", dueAt: after(1) },
    ]);
    await control.settleFrozen(id);
    expect(ran).toEqual(["now", "follow-up"].map((subject) => ({ subject, at: dawn.toISOString() })));
  });

  test("a task that fails while settling holds up no other", async () => {
    const id = await createSandbox();
    await book(
      id,
      ["a", "b", "c"].map((subject) => ({ kind, subject })),
    );
    failing.add("b");
    await control.settleFrozen(id);
    expect(ranSubjects()).toEqual(["a", "c"]);
    failing.clear();
    await control.settleFrozen(id);
    expect(ranSubjects()).toEqual(["a", "c", "b"]);
  });

  test("started again, its clock runs on from where it stood", async () => {
    const id = await createSandbox();
    await set(id, { mode: "running" });
    const { now, mode, seed } = await control.read(id);
    expect({ mode, seed }).toEqual({ mode: "running", seed: "s" });
    expect(Math.abs(now.getTime() - dawn.getTime())).toBeLessThan(60_000);
  });

  test.each([new Date("1999-12-31T23:59:59Z"), new Date("2100-01-01T00:00:00Z")])("is not set to %s", async (now) => {
    const id = await createSandbox();
    await expect(set(id, { mode: "frozen", now })).rejects.toMatchObject({ code: "clock_out_of_range" });
  });
});

describe("an advance that nobody waits for", () => {
  test("is told to be over when its lock is free: who reads it may move the clock again at once", async () => {
    const id = await createSandbox();
    const asked = await inEnvironment(database.db, id, (tx) => askForAdvance(tx, { days: 1 }));
    const look = () => inEnvironment(database.db, id, async (tx) => (await readAdvance(tx, asked.id)).state);
    const states: string[] = [];
    const watched: EnvironmentLocks = {
      ...locks,
      hold: (environmentId, work) =>
        locks.hold(environmentId, async (lock) => {
          const done = await work(lock);
          states.push(await look());
          return done;
        }),
    };
    const pursuer = createClockControl({ db: database.db, log: silentLog, locks: watched, kinds });
    await pursuer.pursue(id, asked.id);
    expect([...states, await look()]).toEqual(["running", "done"]);
    expect((await control.read(id)).now).toEqual(after(day));
  });
});

describe("clock repair", () => {
  test("lets a clock run on whose advance was cut off, and leaves one that is being moved", async () => {
    const repair = createClockRepair({ db: database.db, log: silentLog, locks, kinds });
    const [cutOff, moving] = [
      await createSandbox({ mode: "running", now: dawn }),
      await createSandbox({ mode: "running", now: dawn }),
    ];
    for (const id of [cutOff, moving]) await setMode(database.db, id, "frozen", true);
    const rival = createEnvironmentLocks({ url: database.appUrl });
    await rival.hold(moving, repair);
    await rival.close();
    expect(await storedMode(cutOff)).toEqual({ mode: "running", resumes: false });
    expect(await storedMode(moving)).toEqual({ mode: "frozen", resumes: true });
    const { now } = await control.read(cutOff);
    expect(Math.abs(now.getTime() - dawn.getTime())).toBeLessThan(60_000);
  });

  test("runs what a killed request left due, once nobody is at work there", async () => {
    const id = await createSandbox();
    await book(id, [{ kind, subject: "left behind" }]);
    const repair = createClockRepair({ db: database.db, log: silentLog, locks, kinds });
    await repair();
    expect(ranSubjects()).toEqual([]);
    await asOwner(database.ownerUrl, "update environment_clocks set touched_at = now() - interval '3 seconds'");
    await repair();
    expect(ranSubjects()).toEqual(["left behind"]);
  });
});

function storedMode(environmentId: string) {
  return inEnvironment(database.db, environmentId, (tx) =>
    tx.selectFrom("environment_clocks").select(["mode", "resumes"]).executeTakeFirst(),
  );
}
