/**
 * Runs the agenda of a stopped clock inline: entry after entry in (due_at, id) order, the clock standing at each
 * one's due time, follow-ups in their turn. The caller holds the environment's lock. An entry is removed only after
 * its handler has finished, so a kill in between repeats it and never loses it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { createTurns } from "../work/turns.ts";
import { isLong, type Progress, type Run, type RunnerOptions, step, stepsBack } from "./agenda-step.ts";
import { runEntries } from "./run-entries.ts";

export interface RunResult {
  readonly ran: number;
  /** False when `mostEntries` were run and there are more. */
  readonly complete: boolean;
}

/**
 * The event loop and the database's processors are everybody's: two clocks move at a time, in turns, a piece of one and
 * then a piece of the next, so that ten clocks that are moved at once slow each other down and not everybody else. A
 * piece that waits for a stranger gives its turn away. An advance that has worked for a while is long, and of those one
 * works at a time. As long as others have requests under way its pieces are small, and after each it rests several
 * times as long as it worked.
 */
const sharing = { longestTurnMs: 200, yieldsToEvents: true };
const turns = createTurns({ places: 2, ...sharing });
const longTurns = createTurns({ places: 1, ...sharing });
const restShare = 4;
const longestRestMs = 200;

export async function runDueEntries(options: RunnerOptions, run: Run): Promise<RunResult> {
  const progress: Progress = { ran: 0, skipped: [], name: {}, workedMs: 0 };
  let next = await step(options.db, options, run, [], progress);
  for (;;) {
    run.lock.assertHeld();
    const [first] = next;
    if (first === undefined) return { ran: progress.ran, complete: true };
    if (progress.ran >= run.mostEntries) return { ran: progress.ran, complete: false };
    const due = next;
    next = await (isLong(run, progress) ? longTurns : turns).take(run.environmentId, async () => {
      const began = performance.now();
      const after = await runEntries({ options, run, progress }, due);
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
