import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/database.ts";
import { createMerchant } from "../../testing/factories.ts";
import { asOwner, eventually, silentLog } from "../../testing/work.ts";
import { systemAccountId } from "../ledger/account.ts";
import { readBalances } from "../ledger/balance.ts";
import { createGroupCommit } from "../ledger/group-commit.ts";
import { ledgerSlice } from "../ledger/slice.ts";
import { kobo } from "../money/kobo.ts";
import { inEnvironment, type Tx } from "../platform/database/database.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../platform/secrets/crypto.ts";
import { createClockControl } from "../platform/time/clock-control.ts";
import { setClock } from "../platform/time/clock-setting.ts";
import { createEnvironmentLocks, type EnvironmentLocks } from "../platform/time/environment-lock.ts";
import { schedule, type TaskEntry } from "../platform/work/agenda.ts";
import type { Task, TaskKinds } from "../platform/work/jobs.ts";
import { prepareJobs } from "../platform/work/jobs-schema.ts";
import { fundWallet } from "../wallets/credit-wallet.ts";
import { openRails } from "./open-rails.ts";
import { house } from "./slices.ts";
import { createTasks, type RunningWorker, startWorker } from "./tasks.ts";

const kind = "test.note";
let database: TestDatabase;
let locks: EnvironmentLocks;
let environmentId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await prepareJobs(database.ownerUrl, [kind]);
  await asOwner(
    database.ownerUrl,
    `create table runs (
       id bigint generated always as identity, worker text, subject text, at timestamptz default clock_timestamp());
     grant select, insert, delete on runs to jara_app;`,
  );
  locks = createEnvironmentLocks({ url: database.appUrl });
});

afterAll(() => locks.close());

beforeEach(async () => {
  await sql`delete from runs`.execute(database.db);
  environmentId = (await createMerchant(database.db)).environment.id;
});

/** Starts a script of server/testing as a real process, which the test may kill. */
function start(script: string, ...args: string[]): ChildProcess {
  const path = join(import.meta.dirname, "..", "..", "testing", "platform", script);
  const child = spawn(process.execPath, [path, database.appUrl, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function startReady(name: string, mood: "willing" | "hanging"): Promise<ChildProcess> {
  const child = start("worker-process.ts", name, mood);
  if (child.stdout !== null) await once(child.stdout, "data");
  return child;
}

async function startHere(handle: (task: Task) => Promise<void>, graceMs = 5_000): Promise<RunningWorker> {
  const kinds: TaskKinds = new Map([[kind, { handle }]]);
  const tasks = { kinds, sweepSources: [], loops: ledgerSlice.loops?.({ db: database.db }) ?? [] };
  const worker = await startWorker({
    db: database.db,
    log: silentLog,
    locks,
    tasks,
    directUrl: database.appUrl,
    graceMs,
  });
  onTestFinished(() => worker.stop());
  return worker;
}

function book(entries: readonly TaskEntry[]): Promise<void> {
  return inEnvironment(database.db, environmentId, (tx) => schedule(tx, entries));
}

async function readRuns(): Promise<{ worker: string; subject: string }[]> {
  const found = await sql<{ worker: string; subject: string }>`
    select worker, subject from runs order by id`.execute(database.db);
  return found.rows;
}

const note =
  (worker: string) =>
  async (task: Task): Promise<void> => {
    await sql`insert into runs (worker, subject) values (${worker}, ${task.subject})`.execute(database.db);
  };

describe("a worker", () => {
  test("that is killed in the middle of a job has it run again by another within 30 seconds", async () => {
    const doomed = await startReady("doomed", "hanging");
    await book([{ kind, subject: "job" }]);
    await eventually("the doomed worker has the job in hand", async () => (await readRuns()).length === 1);
    doomed.kill("SIGKILL");
    await once(doomed, "exit");
    const killedAt = Date.now();
    await startHere(note("heir"));
    await eventually("the job ran again", async () => (await readRuns()).length === 2);
    expect(await readRuns()).toEqual([
      { worker: "doomed", subject: "job" },
      { worker: "heir", subject: "job" },
    ]);
    expect(Date.now() - killedAt).toBeLessThan(30_000);
  });

  test("shares the agenda with a second process, and each entry runs once", async () => {
    await Promise.all([startReady("one", "willing"), startReady("two", "willing")]);
    const subjects = Array.from({ length: 300 }, (_, index) => `s${String(index).padStart(3, "0")}`);
    await book(subjects.map((subject, place) => ({ kind, subject, dueAt: new Date(Date.now() + 100 + place) })));
    await eventually("all ran", async () => (await readRuns()).length >= subjects.length);
    expect((await readRuns()).map((run) => run.subject).sort()).toEqual(subjects);
  });

  test("runs an entry once it has fallen due, and not before", async () => {
    const ranAt: number[] = [];
    await startHere(async () => void ranAt.push(Date.now()));
    const dueAt = Date.now() + 500;
    await book([{ kind, subject: "a", dueAt: new Date(dueAt) }]);
    await eventually("it ran", () => ranAt.length === 1);
    expect((ranAt[0] ?? 0) - dueAt).toBeGreaterThanOrEqual(0);
  });

  test("finishes the jobs in its hands before it stops", async () => {
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const worker = await startHere(async (task) => {
      started.resolve();
      await gate.promise;
      await note("here")(task);
    });
    await book([{ kind, subject: "a" }]);
    await started.promise;
    const stopped = worker.stop();
    gate.resolve();
    await stopped;
    expect(await readRuns()).toEqual([{ worker: "here", subject: "a" }]);
    const left = await sql`select from pgboss.job where group_id = ${environmentId} and state <> 'completed'`.execute(
      database.db,
    );
    expect(left.rows).toHaveLength(0);
  });

  test("gives a frozen sandbox's work back to its clock, which runs it in its turn", async () => {
    await book([{ kind, subject: "queued before" }]);
    const now = new Date("2026-11-01T06:00:00Z");
    await inEnvironment(database.db, environmentId, (tx) => setClock(tx, environmentId, { mode: "frozen", now }));
    const times: string[] = [];
    await startHere((task) =>
      inEnvironment(
        database.db,
        task.environmentId,
        async (tx) => void times.push(tx.environment.clock.now().toISOString()),
      ),
    );
    await eventually("it ran", () => times.length === 1);
    expect(times).toEqual([now.toISOString()]);
  });
});

describe("an advance that is killed", () => {
  test("loses nothing: the clock runs on from where it stopped and what was due runs", async () => {
    const hour = 3_600_000;
    await book(
      ["a", "b", "c"].map((subject, place) => ({ kind, subject, dueAt: new Date(Date.now() + (place + 1) * hour) })),
    );
    const doomed = start("advance-process.ts", environmentId, "b");
    // A process has to start first, which takes its time on a busy machine.
    await eventually("the advance hangs", async () => (await readRuns()).length === 2, 60_000);
    doomed.kill("SIGKILL");
    await once(doomed, "exit");
    await startHere(note("heir"));
    await eventually("the entry it hung at ran", async () => (await readRuns()).length === 3);
    expect(await readRuns()).toEqual([
      { worker: "advance", subject: "a" },
      { worker: "advance", subject: "b" },
      { worker: "heir", subject: "b" },
    ]);
    const control = createClockControl({
      db: database.db,
      log: silentLog,
      locks,
      kinds: new Map([[kind, { handle: note("second") }]]),
    });
    const clock = await control.read(environmentId);
    const passed = clock.now.getTime() - Date.now();
    expect(clock.mode).toBe("running");
    expect(passed).toBeGreaterThan(2 * hour - 30_000);
    expect(passed).toBeLessThan(2 * hour + 60_000);
    await control.advance(environmentId, { days: 1 });
    expect((await readRuns()).at(-1)).toEqual({ worker: "second", subject: "c" });
  });
});

describe("the composition of work", () => {
  test("a worker folds what waits for the balances of system accounts", async () => {
    const within = <T>(work: (tx: Tx) => Promise<T>) => inEnvironment(database.db, environmentId, work);
    const outside = systemAccountId(environmentId, "outside");
    const readOutside = async () => (await within((tx) => readBalances(tx, [outside]))).get(outside) ?? kobo(0n);
    const before = await readOutside();
    await within((tx) => fundWallet(tx, { amount: kobo(5_000n) }));
    const countWaiting = () => within((tx) => tx.selectFrom("account_deltas").selectAll().execute());
    expect(await countWaiting()).not.toEqual([]);
    await startHere(async () => undefined);
    await eventually("the deltas are folded", async () => (await countWaiting()).length === 0);
    expect((await readOutside()) - before).toBe(-5_000n);
  });

  test("every kind that is handled has its queue prepared", () => {
    const sealer = createSealer(parseMasterKeys(generateMasterKey()));
    const groupCommit = createGroupCommit({ db: database.db, sealer, slots: 1 });
    const rails = openRails({ url: database.appUrl, db: database.db, log: silentLog, sealer });
    onTestFinished(rails.close);
    const { kinds } = createTasks({
      db: database.db,
      log: silentLog,
      locks,
      groupCommit,
      rails,
      sealer,
      webhookReach: { blocks: [], sandboxLoopback: true },
      publicUrl: "http://localhost:4000",
      requestLogDays: 7,
    });
    expect([...kinds.keys()].toSorted()).toEqual(house.taskKinds.toSorted());
  });
});
