import { sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { type AttentionItem, mostAttentionItems } from "../platform/records/overview.ts";

/** Tables of orders that have an index of those under way, by when they were sent. */
export type OrderTable = "transfers" | "bills";

export interface Waiting {
  readonly count: number;
  readonly amount: Kobo;
  /** The oldest few. */
  readonly oldest: readonly AttentionItem[];
}

/** Orders of this environment that were sent before a moment and have no outcome; undefined when there are none. */
export async function findWaiting(tx: Tx, table: OrderTable, before: Date): Promise<Waiting | undefined> {
  const waiting = sql`
    from ${sql.table(table)} where environment_id = ${tx.environment.id} and status = 'processing'
      and sent_at < ${before}`;
  const sums = await sql<{ count: number; amount: bigint | null }>`
    select count(*)::integer as count, sum(amount)::bigint as amount ${waiting}`.execute(tx);
  const { count = 0, amount = null } = sums.rows[0] ?? {};
  if (amount === null) return undefined;
  const oldest = await sql<AttentionItem>`
    select id, reference as title, sent_at as since ${waiting}
    order by sent_at limit ${mostAttentionItems}`.execute(tx);
  return { count, amount: kobo(amount), oldest: oldest.rows };
}
