/**
 * No wallet was credited by itself with more than a ceiling of the day let through. A ceiling that was changed on a day
 * counts with both figures, and so do those of the days beside it: clocks differ. In the operator's scope.
 */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { Difference } from "../platform/records/difference.ts";
import { startingCeiling } from "./inbound-ceiling.ts";

export async function verifyCeilings(tx: Tx): Promise<Difference[]> {
  const { perCredit, perDay } = startingCeiling;
  const result = await sql<Difference>`
    with ceilings as (
      select per_credit, per_day, created_at as since,
        lead(created_at, 1, 'infinity') over (order by created_at, id) as until
      from inbound_ceilings
      union all
      select ${perCredit}::bigint, ${perDay}::bigint, '-infinity',
        coalesce((select min(created_at) from inbound_ceilings), 'infinity')
    ), days as (
      select c.wallet_id, c.counted_on, max(c.amount) as largest, sum(c.amount) as total from inbound_credits c
      where c.counted_on is not null group by c.wallet_id, c.counted_on
    ), judged as (
      select d.*, d.wallet_id || ' ' || d.counted_on as subject, highest.per_credit, highest.per_day
      from days d cross join lateral (
        select max(c.per_credit) as per_credit, max(c.per_day) as per_day from ceilings c
        where c.since < (d.counted_on + 2)::timestamp at time zone 'Africa/Lagos'
          and c.until > (d.counted_on - 1)::timestamp at time zone 'Africa/Lagos') highest
    )
    select 'inbound credit is below the ceiling' as check, subject, 'at most ' || per_credit as expected,
      largest::text as found
    from judged where largest > per_credit
    union all
    select 'inbound credits of a day are below the ceiling', subject, 'at most ' || per_day, total::text
    from judged where total > per_day
    limit 1000`.execute(tx);
  return result.rows;
}
