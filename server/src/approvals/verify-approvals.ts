/** Every approved order against what was paid for it: one payout or batch, of the asked amount, by a second person. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { Difference } from "../platform/records/difference.ts";

export async function verifyApprovals(tx: Tx): Promise<Difference[]> {
  const found = await sql<{ id: string; expected: string; found: string | null }>`
    select a.id::text, a.reference || ' ' || a.amount as expected,
      coalesce(t.reference || ' ' || t.amount, b.batch_reference || ' ' || b.total_amount) as found
    from approvals a
    left join transfers t on t.environment_id = a.environment_id and t.id = a.transfer_id
    left join transfer_batches b on b.environment_id = a.environment_id and b.id = a.batch_id
    where a.environment_id = ${tx.environment.id} and a.status = 'approved'
      and (coalesce(t.amount, b.total_amount) is distinct from a.amount
        or coalesce(t.reference, b.batch_reference) is distinct from a.reference
        or a.decided_by = a.requested_by)
    order by a.id limit 1000`.execute(tx);
  return found.rows.map(({ id, expected, found: paid }) => ({
    check: "an approval is paid as it was asked for",
    subject: id,
    expected,
    found: paid ?? "nothing",
  }));
}
