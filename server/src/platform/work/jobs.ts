/**
 * A task is work that follows a committed change: send this transfer, expire that session. It is named by a kind,
 * the environment it belongs to, and a subject (usually a record's id); the record itself is the truth, so a task
 * carries little and may run twice: its handler moves states by compare-and-set.
 *
 * Due now, a task is a pg-boss job, inserted by the transaction that made it necessary. Due later, it is an agenda
 * row (see agenda.ts). Each kind has its own queue, so that a kind that waits for slow strangers never holds up
 * another, and so that each has its own figures.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { type Db, fromKysely, type JobInsert, PgBoss } from "pg-boss";
import { type Database, inEnvironment, type PlainTx, type Tx } from "../database/database.ts";

export type TaskPayload = Readonly<Record<string, unknown>>;

export interface Task {
  readonly environmentId: string;
  readonly subject: string;
  readonly payload: TaskPayload;
}

/** Runs at least once. What it throws is tried again a bounded number of times. */
export type TaskHandler = (task: Task) => Promise<void>;

/** A task, and the way to do its part: what `work` makes up is this task's own. */
export interface SharedTask extends Task {
  within<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Names one run of an agenda, for what a kind remembers from one transaction of it to the next (in a WeakMap). While
 * it goes on nobody empties the sandbox, but others may write there; after a failure the run has another name.
 */
export type RunName = object;

export interface LookedUp {
  /** Asks. Returns what is left to do for this task alone, or undefined where `handleTogether` does the rest. */
  ask(task: Task): Promise<(() => Promise<void>) | undefined>;
  readonly handleTogether: (tx: Tx, tasks: readonly SharedTask[]) => Promise<void>;
}

export interface TaskKind {
  readonly handle: TaskHandler;
  /**
   * Does what one transaction of `handle` each would do, for many tasks in one transaction: for kinds that ask no
   * stranger and whose tasks leave one another alone. It is how a moved clock runs them by the thousand.
   */
  readonly handleTogether?: (tx: Tx, tasks: readonly SharedTask[], run: RunName) => Promise<void>;
  /**
   * The same for kinds that ask strangers: many tasks are looked up in one transaction that only reads, each then asks
   * outside of any, in its turn, and those that found nothing new are written down in one transaction.
   */
  readonly lookUp?: (tx: Tx, tasks: readonly Task[]) => Promise<LookedUp>;
  /** Its transactions write nothing of the sandbox's own and take no place in a frozen sandbox's order of writes. */
  readonly takesNoPlace?: boolean;
  /**
   * Quick work (the default) is fetched and settled in batches. Slow work, which waits for a network, is fetched one
   * by one, so that a job that hangs holds up only itself.
   */
  readonly pace?: "quick" | "slow";
}

export type TaskKinds = ReadonlyMap<string, TaskKind>;

/** A kind whose task is one transaction and asks no stranger: alone, or one after another in a transaction of many. */
export function oneTransaction(db: Database, work: (tx: Tx, task: Task) => Promise<void>): TaskKind {
  return {
    handle: (task) => inEnvironment(db, task.environmentId, (tx) => work(tx, task)),
    handleTogether: async (tx, tasks) => {
      for (const task of tasks) await task.within(() => work(tx, task));
    },
  };
}

export const jobsSchema = "pgboss";

/**
 * The library keeps each queue's settings in memory and asks its own connection for them the first time. This
 * instance has none and is never started: whatever it asks, it asks through the transaction that is inserting.
 */
const insertingThrough = new AsyncLocalStorage<Db>();
const inserter = new PgBoss({
  schema: jobsSchema,
  useListenNotify: true,
  db: {
    executeSql: (text, values) => {
      const db = insertingThrough.getStore();
      if (db === undefined) throw new Error("jobs are inserted inside a transaction only");
      return db.executeSql(text, values);
    },
  },
});

/** Jobs of live environments are fetched before all others, and by fetchers of their own (see jobs-worker.ts). */
export const livePriority = 1;

export interface NewJob extends Task {
  readonly isLive: boolean;
}

/** Inserts jobs of one kind through the caller's transaction; they exist when it commits. */
export async function insertJobs(trx: PlainTx, kind: string, tasks: readonly NewJob[]): Promise<void> {
  if (tasks.length === 0) return;
  const db = fromKysely(trx);
  const jobs = tasks.map(jobOf);
  const ids = await insertingThrough.run(db, () => inserter.insert(kind, jobs, { db, returnId: true }));
  // The library's insert joins the queue's row and would quietly do nothing without it.
  if (ids?.length !== tasks.length)
    throw new Error(`Only ${ids?.length ?? 0} of ${tasks.length} ${kind} jobs were inserted.`);
}

/** Group and key repeat what the data says, where the look-ups across jobs can compare columns. */
function jobOf(task: NewJob): JobInsert<Task> {
  const data = { environmentId: task.environmentId, subject: task.subject, payload: task.payload };
  const priority = task.isLive ? livePriority : 0;
  return { data, group: { id: task.environmentId }, singletonKey: task.subject, priority };
}
