/**
 * Every live checkout loan was asked for under the policy that counted at that moment. A sandbox's clock can be set
 * back, so there a later version may rightly bear an earlier date. Intact records return an empty list.
 */
import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import type { Difference } from "../../platform/records/difference.ts";

export async function verifyPolicies(tx: Tx): Promise<Difference[]> {
  if (tx.environment.kind !== "LIVE") return [];
  const found = await sql<Difference>`
    select 'loan has the policy of its day' as check, l.id::text as subject,
      coalesce(d.version::text, 'none') as expected, l.policy_version::text as found
    from checkout_loans l
    left join lateral (
      select p.version from credit_policies p
      where p.environment_id = l.environment_id and p.effective_from <= l.created_at and p.created_at <= l.created_at
      order by p.effective_from desc, p.version desc limit 1) d on true
    where l.environment_id = ${tx.environment.id} and d.version is distinct from l.policy_version
    limit 1000`.execute(tx);
  return found.rows;
}
