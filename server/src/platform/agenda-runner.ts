/**
 * Runs the agenda of a stopped clock inline: entry after entry in (due_at, id) order, the clock standing at each
 * one's due time, follow-ups in their turn. The caller holds the environment's lock. An entry is removed only after
 * its handler has finished, so a kill in between repeats it and never loses it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "./database.ts";
import type { HeldLock } from "./environment-lock.ts";
import type { TaskKinds, TaskPayload } from "./jobs.ts";

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
}

export interface Run {
  readonly environmentId: string;
  readonly lock: HeldLock;
  /** Entries due up to here run and the clock ends here; without it the clock stays where it stands. */
  readonly until?: Date;
  readonly mostEntries: number;
  /** What to do with an entry whose handler keeps failing. Throwing ends the run; the entry stays booked. */
  onFailure(entry: DueEntry, error: unknown): void;
}

export interface RunResult {
  readonly ran: number;
  /** False when `mostEntries` were run and there are more. */
  readonly complete: boolean;
}

const attempts = 3;

export async function runDueEntries(options: RunnerOptions, run: Run): Promise<RunResult> {
  const skipped: bigint[] = [];
  let ran = 0;
  let done: DueEntry | undefined;
  for (;;) {
    run.lock.assertHeld();
    const entry = await step(options.db, run, done, skipped);
    if (entry === undefined) return { ran, complete: true };
    if (ran >= run.mostEntries) return { ran, complete: false };
    done = undefined;
    try {
      await handle(options.kinds, run.environmentId, entry);
      done = entry;
      ran += 1;
    } catch (error) {
      run.onFailure(entry, error);
      skipped.push(entry.id);
    }
  }
}

async function step(
  db: Database,
  run: Run,
  done: DueEntry | undefined,
  skipped: readonly bigint[],
): Promise<DueEntry | undefined> {
  const next = await sql<DueEntry>`
    select * from step_agenda(${run.environmentId}::uuid, ${run.until ?? null}::timestamptz,
      ${done?.id ?? null}::bigint, ${done?.booking ?? null}::integer, ${skipped.map(String)}::bigint[])`.execute(db);
  return next.rows[0];
}

async function handle(kinds: TaskKinds, environmentId: string, entry: DueEntry): Promise<void> {
  const kind = kinds.get(entry.kind);
  if (kind === undefined) throw new Error(`no handler is registered for tasks of kind ${entry.kind}`);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await kind.handle({ environmentId, subject: entry.subject, payload: entry.payload });
      return;
    } catch (error) {
      if (attempt >= attempts) throw error;
      await pause(attempt * 50);
    }
  }
}
