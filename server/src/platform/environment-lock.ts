/**
 * Who moves a sandbox's clock holds that environment's lock: a session-level advisory lock, which PostgreSQL lets go
 * by itself when the holder's process or connection dies. It lives on a connection of its own, since the work done
 * under it takes many transactions.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import { createPool } from "./database.ts";

export interface HeldLock {
  /** Throws when the connection that carries the lock was lost, so that its holder stops. */
  assertHeld(): void;
}

export interface EnvironmentLocks {
  /** Waits for the lock, then runs `work` under it. Whoever already holds it goes straight on. */
  hold<T>(environmentId: string, work: (lock: HeldLock) => Promise<T>): Promise<T>;
  /** Runs `work` under the lock, or answers undefined at once if somebody else has it. */
  tryHold<T>(environmentId: string, work: (lock: HeldLock) => Promise<T>): Promise<T | undefined>;
  close(): Promise<void>;
}

export interface LockOptions {
  /** A direct address: a pooler would hand the session to somebody else. */
  readonly url: string;
  readonly role?: string;
}

const key = "hashtextextended('jara.environment/' || $1, 0)";

export function createEnvironmentLocks(options: LockOptions): EnvironmentLocks {
  const pool = createPool({ ...options, poolSize: 8 });
  // Within this process one caller an environment waits in the database and the others in line behind it, so that
  // a busy sandbox cannot use up the connections of all.
  const lines = new Map<string, Promise<void>>();
  const held = new AsyncLocalStorage<HeldEnvironment>();
  const own = (environmentId: string): HeldLock | undefined => {
    const current = held.getStore();
    return current?.environmentId === environmentId ? current.lock : undefined;
  };
  return {
    hold: (environmentId, work) => {
      const lock = own(environmentId);
      if (lock !== undefined) return work(lock);
      const inside = (taken: HeldLock) => held.run({ environmentId, lock: taken }, () => work(taken));
      return inLine(lines, environmentId, () => underLock(pool, environmentId, inside));
    },
    tryHold: async (environmentId, work) => {
      const lock = own(environmentId);
      if (lock !== undefined) return work(lock);
      if (lines.has(environmentId)) return undefined;
      const inside = (taken: HeldLock) => held.run({ environmentId, lock: taken }, () => work(taken));
      return inLine(lines, environmentId, () => underTriedLock(pool, environmentId, inside));
    },
    close: () => pool.end(),
  };
}

interface HeldEnvironment {
  readonly environmentId: string;
  readonly lock: HeldLock;
}

async function inLine<T>(lines: Map<string, Promise<void>>, id: string, work: () => Promise<T>): Promise<T> {
  const result = (lines.get(id) ?? Promise.resolve()).then(work);
  const settled = result.then(
    () => undefined,
    () => undefined,
  );
  lines.set(id, settled);
  try {
    return await result;
  } finally {
    if (lines.get(id) === settled) lines.delete(id);
  }
}

function underLock<T>(pool: pg.Pool, id: string, work: (lock: HeldLock) => Promise<T>): Promise<T> {
  return onConnection(pool, async (client, lock) => {
    await client.query(`select pg_advisory_lock(${key})`, [id]);
    return work(lock);
  });
}

function underTriedLock<T>(pool: pg.Pool, id: string, work: (lock: HeldLock) => Promise<T>): Promise<T | undefined> {
  return onConnection(pool, async (client, lock) => {
    const tried = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${key}) as taken`, [id]);
    return tried.rows[0]?.taken === true ? work(lock) : undefined;
  });
}

async function onConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient, lock: HeldLock) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let lost: Error | undefined;
  const notice = (error: Error): void => {
    lost = error;
  };
  client.on("error", notice);
  const assertHeld = (): void => {
    if (lost !== undefined) throw new Error("The environment's lock was lost with its connection.", { cause: lost });
  };
  try {
    return await work(client, { assertHeld });
  } finally {
    client.off("error", notice);
    await letGo(client, lost);
  }
}

/** Ending the session is the one way to let go that cannot fail. */
async function letGo(client: pg.PoolClient, lost: Error | undefined): Promise<void> {
  const broken =
    lost ??
    (await client.query("select pg_advisory_unlock_all()").then(
      () => undefined,
      (error: Error) => error,
    ));
  client.release(broken);
}
