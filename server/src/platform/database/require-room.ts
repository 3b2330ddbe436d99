/**
 * Throws when PostgreSQL's disk is full. A small write would not tell: it finds a place in a page or in the log that is
 * there already, while everything larger fails. So a sort that does not fit into memory has to put two megabytes on the
 * disk for some milliseconds, which leaves nothing behind. Any other failure is somebody else's to tell.
 */
import { type QueryExecutorProvider, sql } from "kysely";
import { isOutOfRoom } from "./retry-transient.ts";

export async function requireRoom(db: QueryExecutorProvider): Promise<void> {
  try {
    await sql`
      do $$ begin
        perform set_config('work_mem', '64kB', true);
        perform count(filler) from (
          select n, repeat('x', 1000) || n as filler from generate_series(1, 2000) n order by n desc offset 0) sorted;
      end $$`.execute(db);
  } catch (error) {
    if (isOutOfRoom(error)) throw error;
  }
}
