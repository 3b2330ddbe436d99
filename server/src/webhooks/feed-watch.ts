/**
 * Everybody who waits at the feed of this process. One question to the database, asked again and again while anybody
 * waits, serves all of them: a waiter is a timer and an entry in a map, and holds no connection. It asks instead of
 * listening, which works through any pooler and needs no connection of its own.
 */
import { setTimeout as pause } from "node:timers/promises";

export interface FeedWatch {
  /** Ends when the environment's last position is another than `position`, after `waitMs`, or when `gone`. */
  change(environmentId: string, position: bigint, limits: WaitLimits): Promise<void>;
  /** How many wait at this moment. */
  waiting(): number;
}

export interface WaitLimits {
  readonly waitMs: number;
  readonly gone: AbortSignal;
}

export interface FeedWatchOptions {
  readTotals(environmentIds: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  readonly everyMs?: number;
}

interface Waiter {
  readonly environmentId: string;
  readonly position: bigint;
  wake(): void;
}

const restAfterErrorMs = 1_000;

export function createFeedWatch({ readTotals, everyMs = 50 }: FeedWatchOptions): FeedWatch {
  const waiters = new Set<Waiter>();
  let watching = false;

  const look = async (): Promise<number> => {
    try {
      const totals = await readTotals([...new Set([...waiters].map(({ environmentId }) => environmentId))]);
      for (const waiter of [...waiters]) {
        if ((totals.get(waiter.environmentId) ?? 0n) !== waiter.position) waiter.wake();
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
    change: (environmentId, position, { waitMs, gone }) =>
      new Promise((resolve) => {
        if (gone.aborted) return resolve();
        const wake = (): void => {
          clearTimeout(timer);
          gone.removeEventListener("abort", wake);
          waiters.delete(waiter);
          resolve();
        };
        const waiter = { environmentId, position, wake };
        const timer = setTimeout(wake, waitMs);
        gone.addEventListener("abort", wake);
        waiters.add(waiter);
        void watch();
      }),
    waiting: () => waiters.size,
  };
}
