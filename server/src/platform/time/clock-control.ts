/**
 * Moves the clocks of sandboxes. To advance, a clock stands still: it is set to each due time in turn and what is
 * due runs inline, follow-ups included, so that the answer comes when everything up to the wanted time has happened.
 * A running clock runs on afterwards. All of it under the environment's lock; if the process is killed, the lock is
 * free and any other process sets the clock running again from where it stopped.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { type Database, readEnvironment } from "../database/database.ts";
import type { Logger } from "../logger.ts";
import { runDueEntries } from "./agenda-runner.ts";
import type { DueEntry, Run, RunnerOptions } from "./agenda-step.ts";
import { pursueAdvance, type TellEnd } from "./clock-advances.ts";
import { clockProblem } from "./clock-problems.ts";
import { type AdvanceBy, type ClockReading, readClock, targetOf } from "./clock-setting.ts";
import type { EnvironmentLocks, HeldLock } from "./environment-lock.ts";

export interface ClockControlOptions extends RunnerOptions {
  readonly locks: EnvironmentLocks;
  readonly log: Logger;
  /** What one advance runs at most. */
  readonly mostEntries?: number;
}

export interface Advance {
  readonly from: Date;
  readonly to: Date;
  readonly ran: number;
  readonly nextDueAt: Date | null;
}

export interface ClockControl {
  read(environmentId: string): Promise<ClockReading>;
  /** Runs `work` while nobody else moves this clock; throws clock_moving when somebody does, for more than a moment. */
  exclusively<T>(environmentId: string, work: () => Promise<T>): Promise<T>;
  /** Gives work that became a job while the clock ran the time to finish there, before the clock is stopped. */
  waitForJobs(environmentId: string): Promise<void>;
  advance(environmentId: string, by: AdvanceBy): Promise<Advance>;
  /** Takes an advance further that was asked for and that nobody waits for. */
  pursue(environmentId: string, advanceId: string): Promise<void>;
  /** Runs what is due on a stopped clock. What fails stays booked and is logged. */
  settleFrozen(environmentId: string): Promise<void>;
}

const usuallyMost = 100_000;
const longestWaitForJobsMs = 5_000;
/** Clock repair holds the lock for a moment to see that an advance has ended: nobody is refused because of that. */
const longestWaitForTurnMs = 500;

export function createClockControl(options: ClockControlOptions): ClockControl {
  const { db, locks } = options;
  const exclusively = async <T>(environmentId: string, work: (lock: HeldLock) => Promise<T>): Promise<T> => {
    const giveUpAt = performance.now() + longestWaitForTurnMs;
    for (;;) {
      const done = await locks.tryHold(environmentId, async (lock) => ({ result: await work(lock) }));
      if (done !== undefined) return done.result;
      if (performance.now() >= giveUpAt) throw clockProblem("clock_moving");
      await pause(20);
    }
  };
  return {
    read: (environmentId) => read(db, environmentId),
    exclusively,
    waitForJobs: (environmentId) => waitForJobs(db, environmentId),
    advance: (environmentId, by) => exclusively(environmentId, (lock) => advance(options, lock, environmentId, by)),
    pursue: (environmentId, advanceId) => pursue(options, environmentId, advanceId),
    settleFrozen: (environmentId) =>
      locks.hold(environmentId, async (lock) => {
        await settle(options, lock, environmentId);
      }),
  };
}

/** The caller has its reply already, so nobody is told that the clock is being moved: it waits. */
async function pursue(options: ClockControlOptions, environmentId: string, advanceId: string): Promise<void> {
  const tellEnd = await options.locks.hold(environmentId, pursuing(options, environmentId, advanceId));
  await tellEnd();
}

/** What is to be done under the environment's lock. */
export function pursuing(options: ClockControlOptions, environmentId: string, advanceId: string) {
  return (lock: HeldLock): Promise<TellEnd> =>
    pursueAdvance(
      { ...options, advance: (id, by, onProgress) => advance(options, lock, id, by, onProgress) },
      environmentId,
      advanceId,
    );
}

function read(db: Database, environmentId: string): Promise<ClockReading> {
  return readEnvironment(db, environmentId, readClock);
}

async function advance(
  options: ClockControlOptions,
  lock: HeldLock,
  environmentId: string,
  by: AdvanceBy,
  onProgress?: Run["onProgress"],
): Promise<Advance> {
  const before = await read(options.db, environmentId);
  targetOf(before.now, by, before.nextDueAt);
  if (before.mode === "running") await waitForJobs(options.db, environmentId);
  const resumes = before.mode === "running";
  const from = await setMode(options.db, environmentId, "frozen", resumes);
  try {
    const { nextDueAt } = await read(options.db, environmentId);
    // A moment passed since the first look: what was just ahead may be behind now.
    const to = "to" in by && by.to < from ? from : targetOf(from, by, nextDueAt);
    const ran = await runUntil(options, {
      environmentId,
      lock,
      until: to,
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    const after = await read(options.db, environmentId);
    return { from, to, ran, nextDueAt: after.nextDueAt };
  } finally {
    if (resumes) await setMode(options.db, environmentId, "running", false);
  }
}

async function runUntil(
  options: ClockControlOptions,
  run: Pick<Run, "environmentId" | "lock" | "until" | "onProgress">,
): Promise<number> {
  const { environmentId } = run;
  const onFailure = (entry: DueEntry, error: unknown): never => {
    const about = { kind: entry.kind, subject: entry.subject, dueAt: entry.due_at.toISOString() };
    options.log.error({ err: error, environmentId, ...about }, "a task failed during an advance");
    throw clockProblem("clock_task_failed", { data: about, cause: error });
  };
  const { mostEntries = usuallyMost } = options;
  const { ran, complete } = await runDueEntries(options, { ...run, mostEntries, onFailure });
  if (complete) return ran;
  const { now } = await read(options.db, environmentId);
  throw clockProblem("clock_too_much_due", { data: { now: now.toISOString(), ran } });
}

/** Returns how many entries failed. */
export async function settle(options: ClockControlOptions, lock: HeldLock, environmentId: string): Promise<number> {
  let failed = 0;
  const onFailure = (entry: DueEntry, error: unknown): void => {
    failed += 1;
    const { kind, subject } = entry;
    options.log.error(
      { err: error, environmentId, kind, subject },
      "a task of a frozen sandbox failed and stays booked",
    );
  };
  await runDueEntries(options, { environmentId, lock, mostEntries: usuallyMost, onFailure });
  return failed;
}

/** Stops the clock, or lets it run on from where it stands. Returns the environment's time. */
export async function setMode(
  db: Database,
  environmentId: string,
  mode: "running" | "frozen",
  resumes: boolean,
): Promise<Date> {
  const set = await sql<{ now: Date }>`select set_environment_clock(${environmentId}::uuid, ${mode},
    null::timestamptz, null, ${resumes}) as now`.execute(db);
  const row = set.rows[0];
  if (row === undefined) throw new Error("the clock gave no answer");
  return row.now;
}

/**
 * Work that was due before the advance is with the workers. It is given time to finish where it belongs, before the
 * clock moves; what does not (a worker is down) comes back to the agenda and runs later.
 */
async function waitForJobs(db: Database, environmentId: string): Promise<void> {
  const giveUpAt = performance.now() + longestWaitForJobsMs;
  while (performance.now() < giveUpAt && (await hasJobs(db, environmentId))) await pause(20);
}

async function hasJobs(db: Database, environmentId: string): Promise<boolean> {
  const found = await sql<{ busy: boolean }>`select
    exists (select from pgboss.job where state < 'active' and not blocked and group_id = ${environmentId}
      and start_after <= now())
    or exists (select from pgboss.job where state = 'active' and group_id = ${environmentId}) as busy`.execute(db);
  return found.rows[0]?.busy === true;
}
