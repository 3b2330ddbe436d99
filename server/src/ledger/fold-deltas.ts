import { sql } from "kysely";
import type { Database } from "../platform/database/database.ts";
import { retryTransient } from "../platform/database/retry-transient.ts";

/**
 * Adds the waiting deltas of all environments to their accounts and returns their number. What is read does not
 * change by it: it keeps the reading of a system account's balance short.
 */
export async function foldAccountDeltas(db: Database): Promise<number> {
  const folded = await retryTransient(() => sql<{ count: number }>`select fold_account_deltas() as count`.execute(db));
  return folded.rows[0]?.count ?? 0;
}
