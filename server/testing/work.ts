/** What tests of jobs, clocks and events share. */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { createLogger } from "../src/platform/logger.ts";

export const silentLog = createLogger({ level: "silent", pretty: false });

/** Runs statements as the owner of the schema, for tables that only a test has. */
export async function asOwner(ownerUrl: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

/** Waits for something that another process or connection does, and fails loudly when it does not happen. */
export async function eventually(
  what: string,
  check: () => Promise<boolean> | boolean,
  withinMs = 5_000,
): Promise<void> {
  const giveUpAt = Date.now() + withinMs;
  while (!(await check())) {
    if (Date.now() > giveUpAt) throw new Error(`did not happen within ${withinMs} ms: ${what}`);
    await pause(10);
  }
}
