import { sql } from "kysely";
import type { Database } from "../database/database.ts";

export interface JobCounts {
  readonly kind: string;
  readonly waiting: number;
  readonly active: number;
  /** Given up within the last hour. */
  readonly failed: number;
}

/** As the workers' supervision counted them, every few seconds: reading them costs next to nothing. */
export async function readJobCounts(db: Database): Promise<JobCounts[]> {
  const counted = await sql<JobCounts>`
    select name as kind, queued_count as waiting, active_count as active, failed_count as failed
    from pgboss.queue where name not like '\\_\\_pgboss%' order by name limit 1000`.execute(db);
  return counted.rows;
}
