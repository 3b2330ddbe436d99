/** One step along the agenda of a stopped clock: what is done goes, the clock moves on, and what comes next is known. */
import { sql } from "kysely";
import { type Database, othersAtWork, type PlainTx } from "../database/database.ts";
import type { RunName, Task, TaskKinds, TaskPayload } from "../work/jobs.ts";
import type { HeldLock } from "./environment-lock.ts";

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

export interface Progress {
  ran: number;
  readonly skipped: bigint[];
  name: RunName;
  workedMs: number;
}

const mostTogether = 50;
const mostBesideOthers = 10;
const shortWorkMs = 500;

/** An advance that has worked for a while. */
export function isLong({ until }: Run, { workedMs }: Progress): boolean {
  return until !== undefined && workedMs > shortWorkMs;
}

/** What a request's own tasks do while the clock stands is short, and its caller waits for it. */
export function stepsBack({ db }: RunnerOptions, run: Run, progress: Progress): boolean {
  return isLong(run, progress) && othersAtWork(db, run.environmentId);
}

/** Returns the entries that are due next: those of one moment whose kinds can run them as one, else the first. */
export async function step(
  db: Database | PlainTx,
  options: RunnerOptions,
  run: Run,
  done: readonly DueEntry[],
  progress: Progress,
): Promise<readonly DueEntry[]> {
  const shared = [...options.kinds].flatMap(([name, { handleTogether, lookUp }]) =>
    handleTogether === undefined && lookUp === undefined ? [] : [name],
  );
  const most = stepsBack(options, run, progress) ? mostBesideOthers : mostTogether;
  const next = await sql<DueEntry>`
    select * from step_along_agenda(${run.environmentId}::uuid, ${run.until ?? null}::timestamptz,
      ${done.map(({ id }) => String(id))}::bigint[], ${done.map(({ booking }) => booking)}::integer[],
      ${progress.skipped.map(String)}::bigint[], ${shared}::text[], ${most})`.execute(db);
  return next.rows;
}

export function taskOf(environmentId: string, { subject, payload }: DueEntry): Task {
  return { environmentId, subject, payload };
}

/** What was booked on a running clock, or by a background loop, has no stream of its own: its name makes one. */
export function streamOf(entry: DueEntry | undefined): string {
  if (entry === undefined) return "";
  const { stream, kind, subject, due_at, booking } = entry;
  return stream ?? `${kind}/${subject}/${due_at.getTime()}/${booking}`;
}
