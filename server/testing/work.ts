/** What tests of jobs, clocks and events share. */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { createLogger } from "../src/platform/logger.ts";
import { patienceMs } from "./patience.ts";

export const silentLog = createLogger({ level: "silent" });

/** A connection of the owner of the schema, who sees the rows of all environments. */
export async function withOwner<T>(ownerUrl: string, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

/** Runs statements as the owner of the schema, for tables that only a test has. */
export async function asOwner(ownerUrl: string, statements: string): Promise<void> {
  await withOwner(ownerUrl, (owner) => owner.query(statements));
}

/** Waits for something that another process or connection does, and fails loudly when it does not happen. */
export async function eventually(
  what: string,
  check: () => Promise<boolean> | boolean,
  withinMs = patienceMs,
): Promise<void> {
  const giveUpAt = Date.now() + withinMs;
  while (!(await check())) {
    if (Date.now() > giveUpAt) throw new Error(`did not happen within ${withinMs} ms: ${what}`);
    await pause(10);
  }
}

/** A loop of the worker, as tasks.ts has them. */
interface WorkLoop {
  step(): Promise<number>;
  drain?(): Promise<void>;
}

/** Below this rest a loop says that it knows of more to do. */
const idleRestMs = 50;

/** Lets a loop of the worker take everything that waits as far as it gets. */
export async function workThrough(loop: WorkLoop): Promise<void> {
  let restMs: number;
  do {
    restMs = await loop.step();
    await loop.drain?.();
  } while (restMs < idleRestMs);
}
