import { sql } from "kysely";
import { gatherCells } from "../database/cells.ts";
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
  const look = sql<JobCounts>`
    select name as kind, queued_count as waiting, active_count as active, failed_count as failed
    from pgboss.queue where name not like '\\_\\_pgboss%' order by name limit 1000`;
  const counted = await gatherCells(db, async (cell) => (await look.execute(cell)).rows);
  return [...Map.groupBy(counted, ({ kind }) => kind)].map(([kind, same]) => ({
    kind,
    waiting: same.reduce((sum, { waiting }) => sum + waiting, 0),
    active: same.reduce((sum, { active }) => sum + active, 0),
    failed: same.reduce((sum, { failed }) => sum + failed, 0),
  }));
}
