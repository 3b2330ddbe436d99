import { sql } from "kysely";
import type { Tx } from "./database.ts";
import { unawaited } from "./unawaited.ts";

/**
 * Locks places that stand for something which may have no row yet, until the transaction ends. They are taken in one
 * order, so that two who want several of the same never wait for each other.
 */
export async function lockPlaces(tx: Tx, places: readonly string[]): Promise<void> {
  for (const place of places.toSorted()) {
    // What follows is run by PostgreSQL once the lock is there.
    await unawaited(() => sql`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`.execute(tx));
  }
}
