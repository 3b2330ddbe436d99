/**
 * Runs jobs. A job is leased by heartbeat: when the process dies, another takes its jobs over. Work of an environment
 * whose clock stands still is not run here; it goes back to the agenda, in its turn.
 */
import { sql } from "kysely";
import { type Clock, type Job, type JobResult, PgBoss } from "pg-boss";
import { inBackground } from "../database/cause.ts";
import { type Database, inEnvironment } from "../database/database.ts";
import { aboutRecord } from "../log-subject.ts";
import type { Logger } from "../logger.ts";
import { tracing } from "../tracing.ts";
import { warnSparingly } from "../warn-sparingly.ts";
import { schedule } from "./agenda.ts";
import { jobsSchema, livePriority, type Task, type TaskKind, type TaskKinds } from "./jobs.ts";

export interface JobWorkerOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly kinds: TaskKinds;
  /** A direct address: LISTEN does not work through a pooler. */
  readonly url: string;
  readonly role?: string;
}

export interface JobWorker {
  /** Takes no more jobs and waits for those under way; what is not done by then will run again elsewhere. */
  stop(graceMs: number): Promise<void>;
}

/**
 * A dead worker's job runs again after at most: heartbeat 10 s, supervision 2 + 2 s, retry delay 2 s, polling 5 s.
 * Notifications make polling a backstop, needed for retries only.
 */
const superviseSeconds = 2;
const pollSeconds = 5;
const quickFetchers = 2;
const quickBatch = 200;
const quickAtOnce = 8;
const slowFetchers = 8;
/**
 * Besides, for live environments alone: however much of the sandboxes is under way, or hangs, somebody is left to take
 * up what is live.
 */
const liveQuickFetchers = 1;
const liveSlowFetchers = 2;
const onlyLive = { minPriority: livePriority } as const;

/** Only measures how long it waits. By the wall clock a worker would wait until a clock that was set back catches up. */
const steadyClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (work, ms) => setTimeout(work, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (work, ms) => setInterval(work, ms),
  clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
};

export async function startJobWorker(options: JobWorkerOptions): Promise<JobWorker> {
  const boss = new PgBoss({
    connectionString: options.url,
    clock: steadyClock,
    schema: jobsSchema,
    max: 4,
    application_name: "jara-jobs",
    migrate: false,
    schedule: false,
    useListenNotify: true,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: 60,
    // Rebuilding indexes takes ownership, which the application does not have.
    reindex: false,
    monitorVacuum: false,
    ...(options.role === undefined ? {} : { options: `-c role=${options.role}` }),
  });
  // Each queue has its fetchers, and each of them reports each try.
  boss.on("error", (error) => warnSparingly(options.log, { err: error }, "the job queue reported an error"));
  boss.on("warning", (warning) => options.log.warn({ warning }, "the job queue gave a warning"));
  try {
    await boss.start();
    for (const [kind, definition] of options.kinds) await workOn(boss, kind, definition, options);
  } catch (error) {
    // Half started, its connections would keep the process alive.
    await boss.stop({ graceful: false });
    throw error;
  }
  return { stop: (graceMs) => boss.stop({ graceful: true, timeout: graceMs }) };
}

async function workOn(boss: PgBoss, kind: string, definition: TaskKind, options: JobWorkerOptions): Promise<void> {
  const common = { perJobResults: true, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: pollSeconds } as const;
  const run = (jobs: Job<Task>[]) => runBatch(kind, definition, jobs, options);
  if (definition.pace !== "slow") {
    const batches = { ...common, batchSize: quickBatch, burstWhenBatchFull: true, localConcurrency: quickFetchers };
    await boss.work<Task, unknown, typeof batches>(kind, batches, run);
    const live = { ...batches, ...onlyLive, localConcurrency: liveQuickFetchers };
    await boss.work<Task, unknown, typeof live>(kind, live, run);
    return;
  }
  for (let fetcher = 0; fetcher < slowFetchers + liveSlowFetchers; fetcher += 1) {
    const one = fetcher < slowFetchers ? common : { ...common, ...onlyLive };
    const id: string = await boss.work<Task, unknown, typeof one>(kind, one, async (jobs) => {
      const results = await run(jobs);
      // After a single job the library would rest until the next poll; there may well be more to do.
      boss.notifyWorker(id);
      return results;
    });
  }
}

async function runBatch(
  kind: string,
  definition: TaskKind,
  jobs: readonly Job<Task>[],
  options: JobWorkerOptions,
): Promise<JobResult[]> {
  const frozen = await findFrozen(options.db, jobs);
  const results: JobResult[] = [];
  const waiting = [...jobs];
  const runNext = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      results.push(await runJob(kind, definition, job, frozen.has(job.data.environmentId), options));
    }
  };
  await Promise.all(Array.from({ length: quickAtOnce }, runNext));
  return results;
}

async function findFrozen(db: Database, jobs: readonly Job<Task>[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(jobs.map((job) => job.data.environmentId))];
  const found = await sql<{ id: string }>`select id from find_frozen_environments(${ids}::uuid[]) as id`.execute(db);
  return new Set(found.rows.map((row) => row.id));
}

async function runJob(
  kind: string,
  definition: TaskKind,
  job: Job<Task>,
  frozen: boolean,
  options: JobWorkerOptions,
): Promise<JobResult> {
  const { environmentId, subject } = job.data;
  const span = tracing()?.begin({
    name: `task ${kind}`,
    kind: "internal",
    recordId: subject,
    environmentId,
    facts: { "jara.attempt": job.retryCount + 1 },
  });
  try {
    await aboutRecord({ environmentId, recordId: subject }, () =>
      inBackground(() => (frozen ? returnToAgenda(options.db, kind, job.data) : definition.handle(job.data))),
    );
    span?.end();
    return { id: job.id, status: "completed" };
  } catch (error) {
    span?.end({}, error);
    options.log.error({ err: error, kind, environmentId, subject, attempt: job.retryCount + 1 }, "a job failed");
    return { id: job.id, status: "failed", output: error };
  }
}

/** On a clock that stands still, scheduling something for now books it. */
function returnToAgenda(db: Database, kind: string, task: Task): Promise<void> {
  return inEnvironment(db, task.environmentId, (tx) =>
    schedule(tx, [{ kind, subject: task.subject, payload: task.payload }]),
  );
}
