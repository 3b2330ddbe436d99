/**
 * Runs the agenda of a stopped clock inline: entry after entry in (due_at, id) order, the clock standing at each
 * one's due time, follow-ups in their turn. The caller holds the environment's lock. An entry is removed only after
 * its handler has finished, so a kill in between repeats it and never loses it.
 *
 * Neighbours of the same kind and time share a transaction where their kind can. That changes only the speed:
 * whatever such an entry books comes after them anyway, and each draws its ids from its own stream.
 */
import { setTimeout as pause, setImmediate as turnOfLoop } from "node:timers/promises";
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { becauseOf, partOf } from "../database/cause.ts";
import {
  besideEnvironment,
  type Database,
  drawingFrom,
  inEnvironment,
  othersAtWork,
  type PlainTx,
  type Tx,
} from "../database/database.ts";
import type { RunName, TaskKind, TaskKinds, TaskPayload } from "../work/jobs.ts";
import type { HeldLock } from "./environment-lock.ts";
import { createTimedTurns } from "./timed-turns.ts";

export interface RunnerOptions {
  readonly db: Database;
  readonly kinds: TaskKinds;
}

export interface DueEntry {
  readonly id: bigint;
  readonly booking: number;
  readonly kind: string;
  readonly subject: string;
  readonly payload: TaskPayload;
  readonly due_at: Date;
  readonly stream: string | null;
}

export interface Run {
  readonly environmentId: string;
  readonly lock: HeldLock;
  /** Entries due up to here run and the clock ends here; without it the clock stays where it stands. */
  readonly until?: Date;
  readonly mostEntries: number;
  /** What to do with an entry whose handler keeps failing. Throwing ends the run; the entry stays booked. */
  onFailure(entry: DueEntry, error: unknown): void;
  /** Told now and then how far it has come. */
  onProgress?(ran: number, at: Date): Promise<void>;
}

export interface RunResult {
  readonly ran: number;
  /** False when `mostEntries` were run and there are more. */
  readonly complete: boolean;
}

interface Progress {
  ran: number;
  readonly skipped: bigint[];
  /** Entries that failed together run one by one. */
  alone: number;
  name: RunName;
  workedMs: number;
}

const attempts = 3;
const mostTogether = 50;
/**
 * The event loop and the database's processors are everybody's: two clocks move at a time, in turns. An advance that
 * has worked for a while is long, and of those one works at a time. As long as others have requests under way its
 * pieces are small, and after each it rests several times as long as it worked.
 */
const turns = createTimedTurns(2);
const longTurns = createTimedTurns(1);
const shortWorkMs = 500;
const mostBesideOthers = 10;
const restShare = 4;
const longestRestMs = 200;
/** Planning many tasks at a stretch would let everybody's replies wait. */
const longestStretchMs = 2;

export async function runDueEntries(options: RunnerOptions, run: Run): Promise<RunResult> {
  const progress: Progress = { ran: 0, skipped: [], alone: 0, name: {}, workedMs: 0 };
  let next = await step(options.db, options, run, [], progress);
  for (;;) {
    run.lock.assertHeld();
    const [first] = next;
    if (first === undefined) return { ran: progress.ran, complete: true };
    if (progress.ran >= run.mostEntries) return { ran: progress.ran, complete: false };
    const due = next;
    const isLong = run.until !== undefined && progress.workedMs > shortWorkMs;
    next = await (isLong ? longTurns : turns).take(async () => {
      const began = performance.now();
      const after = await runNext(options, run, due, progress);
      const workedMs = performance.now() - began;
      progress.workedMs += workedMs;
      if (after.length > 0 && stepsBack(options, run, progress)) {
        await pause(Math.min(restShare * workedMs, longestRestMs));
      }
      return after;
    });
    await run.onProgress?.(progress.ran, first.due_at);
  }
}

/** What a request's own tasks do while the clock stands is short, and its caller waits for it. */
function stepsBack({ db }: RunnerOptions, { until, environmentId }: Run, { workedMs }: Progress): boolean {
  return until !== undefined && workedMs > shortWorkMs && othersAtWork(db, environmentId);
}

async function runNext(
  options: RunnerOptions,
  run: Run,
  due: readonly DueEntry[],
  progress: Progress,
): Promise<readonly DueEntry[]> {
  const [first] = due;
  const kind = options.kinds.get(first?.kind ?? "");
  if (kind?.handleTogether !== undefined && progress.alone === 0) {
    try {
      return await runTogether(options, run, due, progress, kind);
    } catch {
      // Nothing of it happened, whatever was remembered of it. One by one it shows whose fault it was.
      progress.alone = due.length;
      progress.name = {};
    }
  }
  const done: DueEntry[] = [];
  if (first !== undefined) await runAlone(options, run, first, progress, done);
  progress.alone = Math.max(0, progress.alone - 1);
  return step(options.db, options, run, done, progress);
}

/** The entries, their removal and the look at what comes next are one transaction. */
async function runTogether(
  options: RunnerOptions,
  run: Run,
  due: readonly DueEntry[],
  progress: Progress,
  { handleTogether, takesNoPlace = false }: TaskKind,
): Promise<readonly DueEntry[]> {
  const { environmentId } = run;
  const letOthersIn = createStretch();
  const tasksOf = (tx: Tx) =>
    due.map((entry) => {
      const clock = tx.environment.clock.drawingFrom(partOf(streamOf(entry), 1));
      const within = async <T>(work: () => Promise<T>): Promise<T> => {
        await letOthersIn();
        return drawingFrom(tx, clock, work);
      };
      return { ...taskOf(environmentId, entry), within };
    });
  let tries = 0;
  const enter = takesNoPlace ? besideEnvironment : inEnvironment;
  const next = await becauseOf(`${streamOf(due[0])}/together`, () =>
    enter(options.db, environmentId, async (tx) => {
      tries += 1;
      // What was remembered of a try that was rolled back never happened.
      if (tries > 1) progress.name = {};
      await handleTogether?.(tx, tasksOf(tx), progress.name);
      return step(tx, options, run, due, progress);
    }),
  );
  progress.ran += due.length;
  return next;
}

/** Gives the event loop away whenever a stretch of work has been long enough. */
function createStretch(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < longestStretchMs) return;
    await turnOfLoop();
    began = performance.now();
  };
}

async function runAlone(
  options: RunnerOptions,
  run: Run,
  entry: DueEntry,
  progress: Progress,
  done: DueEntry[],
): Promise<void> {
  try {
    await handleOrRetry(options.kinds, run.environmentId, entry);
    done.push(entry);
    progress.ran += 1;
  } catch (error) {
    run.onFailure(entry, error);
    progress.skipped.push(entry.id);
  }
}

async function step(
  db: Database | PlainTx,
  options: RunnerOptions,
  run: Run,
  done: readonly DueEntry[],
  progress: Progress,
): Promise<readonly DueEntry[]> {
  const { kinds } = options;
  const { skipped, alone } = progress;
  const shared = [...kinds].flatMap(([name, kind]) => (kind.handleTogether === undefined ? [] : [name]));
  const most = stepsBack(options, run, progress) ? mostBesideOthers : mostTogether;
  const next = await sql<DueEntry>`
    select * from step_agenda(${run.environmentId}::uuid, ${run.until ?? null}::timestamptz,
      ${done.map(({ id }) => String(id))}::bigint[], ${done.map(({ booking }) => booking)}::integer[],
      ${skipped.map(String)}::bigint[], ${shared}::text[], ${alone > 1 ? 1 : most})`.execute(db);
  return next.rows;
}

async function handleOrRetry(kinds: TaskKinds, environmentId: string, entry: DueEntry): Promise<void> {
  const kind = kinds.get(entry.kind);
  if (kind === undefined) throw new Error(`no handler is registered for tasks of kind ${entry.kind}`);
  const task = taskOf(environmentId, entry);
  for (let attempt = 1; ; attempt += 1) {
    try {
      // A part of an earlier try may be committed: another one must not draw the same ids again.
      const stream = attempt === 1 ? streamOf(entry) : uuidv7();
      await becauseOf(stream, () => kind.handle(task));
      return;
    } catch (error) {
      if (attempt >= attempts) throw error;
      await pause(attempt * 50);
    }
  }
}

function taskOf(environmentId: string, { subject, payload }: DueEntry) {
  return { environmentId, subject, payload };
}

/** What was booked on a running clock, or by a background loop, has no stream of its own: its name makes one. */
function streamOf(entry: DueEntry | undefined): string {
  if (entry === undefined) return "";
  const { stream, kind, subject, due_at, booking } = entry;
  return stream ?? `${kind}/${subject}/${due_at.getTime()}/${booking}`;
}
