/** One connection that carries advisory locks. When it is lost, all of them are, and each holder is told. */
import type pg from "pg";
import { createPool } from "./database.ts";

export interface LockOptions {
  /** A direct address: a pooler would hand the session to somebody else. */
  readonly url: string;
  readonly role?: string;
}

export interface SessionLock {
  assertHeld(): void;
  release(): Promise<void>;
}

export interface LockSession {
  /** Undefined when another session has the lock. Never to be asked for a lock that this session holds. */
  tryLock(name: string): Promise<SessionLock | undefined>;
  close(): Promise<void>;
}

interface Line {
  readonly client: pg.PoolClient;
  lost: Error | undefined;
  /** Settles with the last question: a connection takes one at a time. */
  last: Promise<unknown>;
}

const key = "hashtextextended($1, 0)";

async function askInTurn(line: Line, question: string, name: string): Promise<boolean> {
  const answering = line.last.then(() =>
    line.client.query<{ done: boolean }>(`select ${question}(${key}) as done`, [name]),
  );
  line.last = answering.catch(() => undefined);
  return (await answering).rows[0]?.done === true;
}

export function createLockSession(options: LockOptions): LockSession {
  const pool = createPool({ ...options, poolSize: 1 });
  let current: Promise<Line> | undefined;

  async function connect(): Promise<Line> {
    const line: Line = { client: await pool.connect(), lost: undefined, last: Promise.resolve() };
    line.client.on("error", (error) => lose(line, error));
    return line;
  }

  function lose(line: Line, error: Error): void {
    if (line.lost !== undefined) return;
    line.lost = error;
    current = undefined;
    line.client.release(error);
  }

  function open(): Promise<Line> {
    if (current !== undefined) return current;
    const opening = connect();
    current = opening;
    opening.catch(() => {
      if (current === opening) current = undefined;
    });
    return opening;
  }

  async function ask(line: Line, question: string, name: string): Promise<boolean> {
    try {
      return await askInTurn(line, question, name);
    } catch (error) {
      // A session of which we do not know what it holds is ended: that lets go of everything.
      lose(line, error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  return {
    async tryLock(name) {
      const line = await open();
      if (!(await ask(line, "pg_try_advisory_lock", name))) return undefined;
      return {
        assertHeld: () => {
          if (line.lost === undefined) return;
          throw new Error("The environment's lock was lost with its connection.", { cause: line.lost });
        },
        release: async () => {
          if (line.lost === undefined) await ask(line, "pg_advisory_unlock", name).catch(() => undefined);
        },
      };
    },
    async close() {
      const line = await current?.catch(() => undefined);
      if (line !== undefined) lose(line, new Error("the locks were closed"));
      await pool.end();
    },
  };
}
