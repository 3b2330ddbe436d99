/**
 * Every live loan was made with the version of its product that counted at that moment. A sandbox's clock can be set
 * back, so there a later version may rightly bear an earlier date. Intact records return an empty list.
 */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { Difference } from "../platform/records/difference.ts";

export async function verifyProducts(tx: Tx): Promise<Difference[]> {
  if (tx.environment.kind !== "LIVE") return [];
  const found = await sql<Difference>`
    select 'loan has the product of its day' as check, a.id::text as subject,
      coalesce(d.version::text, 'none') as expected, a.product_version::text as found
    from loan_accounts a
    left join lateral (
      select p.version from loan_products p
      where p.environment_id = a.environment_id and p.id = a.product_id and p.effective_from <= a.created_at
        and p.created_at <= a.created_at
      order by p.effective_from desc, p.version desc limit 1) d on true
    where a.environment_id = ${tx.environment.id} and d.version is distinct from a.product_version
    limit 1000`.execute(tx);
  return found.rows;
}
