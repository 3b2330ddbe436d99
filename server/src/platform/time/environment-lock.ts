/**
 * A process that moves a sandbox's clock holds that environment's lock: a session-level advisory lock, which PostgreSQL
 * lets go by itself when the holder's process or connection dies. All locks of a process live on one connection of
 * their own, so that any number of sandboxes can be at work; nobody waits on it. Within the process callers stand in
 * line, and the first in line asks again and again until the other process is done.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { environmentBusy } from "../database/environment-doors.ts";
import { createLockSession, type LockOptions, type LockSession } from "../database/lock-session.ts";
import { createTurns } from "../work/turns.ts";

export interface HeldLock {
  /** Throws when the connection that carries the lock was lost, so that its holder stops. */
  assertHeld(): void;
}

export interface EnvironmentLocks {
  /**
   * Waits for the lock, then runs `work` under it. A caller that already holds it goes straight on. Throws
   * environment_busy when too many stand in line or another process keeps the lock for too long.
   */
  hold<T>(environmentId: string, work: (lock: HeldLock) => Promise<T>): Promise<T>;
  /** Runs `work` under the lock, or returns undefined at once if somebody else has it. */
  tryHold<T>(environmentId: string, work: (lock: HeldLock) => Promise<T>): Promise<T | undefined>;
  close(): Promise<void>;
}

export interface EnvironmentLockOptions extends LockOptions {
  readonly mostInLine?: number;
  readonly longestWaitMs?: number;
}

interface HeldEnvironment {
  readonly environmentId: string;
  readonly lock: HeldLock;
}

export function createEnvironmentLocks(options: EnvironmentLockOptions): EnvironmentLocks {
  const { mostInLine = 200, longestWaitMs = 60_000 } = options;
  const session = createLockSession(options);
  // The first in line is under way.
  const turns = createTurns({ perOwner: () => 1, mostWaiting: mostInLine - 1, refusal: environmentBusy });
  const held = new AsyncLocalStorage<HeldEnvironment>();
  const own = (environmentId: string): HeldLock | undefined => {
    const current = held.getStore();
    return current?.environmentId === environmentId ? current.lock : undefined;
  };
  return {
    hold: async (environmentId, work) => {
      const lock = own(environmentId);
      if (lock !== undefined) return work(lock);
      const inside = (taken: HeldLock) => held.run({ environmentId, lock: taken }, () => work(taken));
      return turns.take(environmentId, () => underLock(session, environmentId, longestWaitMs, inside));
    },
    tryHold: async (environmentId, work) => {
      const lock = own(environmentId);
      if (lock !== undefined) return work(lock);
      if (turns.isBusy(environmentId)) return undefined;
      const inside = (taken: HeldLock) => held.run({ environmentId, lock: taken }, () => work(taken));
      return turns.take(environmentId, () => underTriedLock(session, environmentId, inside));
    },
    close: session.close,
  };
}

async function underLock<T>(
  session: LockSession,
  id: string,
  longestWaitMs: number,
  work: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  for (let waitedMs = 0, restMs = 5; ; waitedMs += restMs, restMs = Math.min(restMs * 2, 100)) {
    const done = await underTriedLock(session, id, async (lock) => ({ result: await work(lock) }));
    if (done !== undefined) return done.result;
    if (waitedMs >= longestWaitMs) throw environmentBusy();
    await pause(restMs);
  }
}

async function underTriedLock<T>(
  session: LockSession,
  id: string,
  work: (lock: HeldLock) => Promise<T>,
): Promise<T | undefined> {
  const taken = await session.tryLock(`jara.environment/${id}`);
  if (taken === undefined) return undefined;
  try {
    return await work(taken);
  } finally {
    await taken.release();
  }
}
