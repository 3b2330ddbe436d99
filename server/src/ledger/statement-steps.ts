/** What entered and left an account, hour by hour or day by day in Lagos. */
import { sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { findSpan, type TimeSpan } from "./statement.ts";

export interface StatementStep {
  /** When the hour or the day began. */
  readonly at: Date;
  readonly moneyIn: Kobo;
  readonly moneyOut: Kobo;
}

/**
 * Each step is the sum of the statement that is cut at its ends. An entry is before a moment when it, or one with a
 * higher number, was posted before it (see `findSpan`): hence the smallest time from the newest entry down to each.
 * Steps without entries are left out.
 */
export async function sumSteps(
  tx: Tx,
  accountId: string,
  { by, ...span }: TimeSpan & { readonly by: "hour" | "day" },
): Promise<StatementStep[]> {
  const { first, last } = await findSpan(tx, accountId, span);
  if (last < first) return [];
  const found = await sql<{ at: Date; money_in: bigint; money_out: bigint }>`
    select date_trunc(${by}, e.at at time zone 'Africa/Lagos') at time zone 'Africa/Lagos' as at,
      coalesce(sum(e.amount) filter (where e.amount > 0), 0)::bigint as money_in,
      coalesce(-sum(e.amount) filter (where e.amount < 0), 0)::bigint as money_out
    from (
      select amount, min(posted_at) over (order by account_entry desc rows unbounded preceding) as at
      from entries where environment_id = ${tx.environment.id} and account_id = ${accountId}
        and account_entry between ${first} and ${last}) e
    group by 1 order by 1 limit 10000`.execute(tx);
  return found.rows.map((row) => ({ at: row.at, moneyIn: kobo(row.money_in), moneyOut: kobo(row.money_out) }));
}
