/**
 * Everybody who waits at the feed of this process. One question to the database, asked again and again while anybody
 * waits, serves all of them: a waiter is a timer and an entry in a map, and holds no connection. It asks instead of
 * listening, which works through any pooler and needs no connection of its own.
 */
import { setTimeout as pause } from "node:timers/promises";

/** `Totals` says how far the lists of an environment have come. */
export interface FeedWatch<Totals> {
  /** Ends when the environment's totals are no longer the last that the reader knows, after `waitMs`, or when `gone`. */
  change(environmentId: string, areLast: AreLast<Totals>, limits: WaitLimits): Promise<void>;
  /** How many wait at this moment. */
  waiting(): number;
}

/** An environment without anything has no totals. */
export type AreLast<Totals> = (totals: Totals | undefined) => boolean;

export interface WaitLimits {
  readonly waitMs: number;
  readonly gone: AbortSignal;
}

export interface FeedWatchOptions<Totals> {
  readTotals(environmentIds: readonly string[]): Promise<ReadonlyMap<string, Totals>>;
  readonly everyMs?: number;
}

interface Waiter<Totals> {
  readonly environmentId: string;
  readonly areLast: AreLast<Totals>;
  wake(): void;
}

const restAfterErrorMs = 1_000;

export function createFeedWatch<Totals>({ readTotals, everyMs = 50 }: FeedWatchOptions<Totals>): FeedWatch<Totals> {
  const waiters = new Set<Waiter<Totals>>();
  let watching = false;

  const look = async (): Promise<number> => {
    try {
      const totals = await readTotals([...new Set([...waiters].map(({ environmentId }) => environmentId))]);
      for (const waiter of [...waiters]) {
        if (!waiter.areLast(totals.get(waiter.environmentId))) waiter.wake();
      }
      return everyMs;
    } catch {
      // The database is away. Who stops waiting asks it again and tells the caller.
      return restAfterErrorMs;
    }
  };
  const watch = async (): Promise<void> => {
    if (watching) return;
    watching = true;
    while (waiters.size > 0) await pause(await look());
    watching = false;
  };

  return {
    change: (environmentId, areLast, { waitMs, gone }) =>
      new Promise((resolve) => {
        if (gone.aborted) return resolve();
        const wake = (): void => {
          clearTimeout(timer);
          gone.removeEventListener("abort", wake);
          waiters.delete(waiter);
          resolve();
        };
        const waiter = { environmentId, areLast, wake };
        const timer = setTimeout(wake, waitMs);
        gone.addEventListener("abort", wake);
        waiters.add(waiter);
        void watch();
      }),
    waiting: () => waiters.size,
  };
}
