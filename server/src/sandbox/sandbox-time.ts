import { type Database, readEnvironment } from "../platform/database/database.ts";

/** What time it is in a sandbox, for who works there without a transaction of its own. */
export function timeIn(db: Database, sandbox: string): Promise<Date> {
  return readEnvironment(db, sandbox, async (tx) => tx.environment.clock.now());
}
