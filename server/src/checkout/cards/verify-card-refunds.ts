/**
 * Holds refunds to cards, made and under way, against the charges they are parts of: none gives back more than it paid,
 * and none whose repayment was reversed gives back anything. Lending's own check sees only what is booked.
 */
import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import type { Difference } from "../../platform/records/difference.ts";

const mostNamed = 1_000;

export async function verifyCardRefunds(tx: Tx): Promise<Difference[]> {
  const found = await sql<{ id: string; kept: bigint; back: bigint }>`
    select c.id, k.kept, sum(r.amount)::bigint as back
    from card_refunds r
    join card_charges c on c.environment_id = r.environment_id and c.id = r.charge_id
    left join loan_repayments p on p.environment_id = c.environment_id and p.id = c.repayment_id
    cross join lateral (
      select case when p.id is null or p.reversed_at is not null then 0 else c.amount end as kept) k
    where r.environment_id = ${tx.environment.id} and r.status <> 'failed'
    group by c.id, k.kept having sum(r.amount) > k.kept
    order by c.id limit ${mostNamed}`.execute(tx);
  return found.rows.map(({ id, kept, back }) => ({
    check: "no charge gives back more than it paid",
    subject: id,
    expected: `at most ${kept}`,
    found: String(back),
  }));
}
