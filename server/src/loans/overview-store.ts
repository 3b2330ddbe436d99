/** Loan requests that wait for a decision. */
import { sql } from "kysely";
import { kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import {
  type Attention,
  type AttentionItem,
  mostAttentionItems,
  type OverviewSource,
} from "../platform/records/overview.ts";

/** A decision by rules takes seconds; what waits longer waits for a person. */
const patienceMs = 60_000;

export const undecidedLoans: OverviewSource = {
  part: null,
  scope: "loans:read",
  read: async (tx) => ({ figures: null, attention: await readUndecided(tx) }),
};

async function readUndecided(tx: Tx): Promise<Attention[]> {
  const waiting = sql`
    from loan_requests where environment_id = ${tx.environment.id} and status = 'pending'
      and created_at < ${tx.environment.clock.after(-patienceMs)}`;
  const sums = await sql<{ count: number; amount: bigint | null }>`
    select count(*)::integer as count, sum(amount)::bigint as amount ${waiting}`.execute(tx);
  const { count = 0, amount = null } = sums.rows[0] ?? {};
  if (count === 0 || amount === null) return [];
  const oldest = await sql<AttentionItem>`
    select id, first_name || ' ' || last_name as title, created_at as since ${waiting}
    order by list_position limit ${mostAttentionItems}`.execute(tx);
  const title = `${count} ${count === 1 ? "loan waits" : "loans wait"} for a decision.`;
  const since = oldest.rows[0]?.since ?? null;
  return [{ kind: "loans_undecided", title, count, since, amount: kobo(amount), items: oldest.rows }];
}
