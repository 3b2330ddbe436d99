import { type Database, inEnvironment } from "../platform/database/database.ts";

/** What time it is in a sandbox, for who works there without a transaction of its own. */
export function timeIn(db: Database, sandbox: string): Promise<Date> {
  return inEnvironment(db, sandbox, async (tx) => tx.environment.clock.now(), { readOnly: true });
}
