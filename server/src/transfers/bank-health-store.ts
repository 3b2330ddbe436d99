import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";

/** What came of the latest payouts to one bank. */
export interface BankOutcomes {
  readonly bankCode: string;
  readonly paid: number;
  /** Refused by the bank, or not answered by it for too long. */
  readonly unpaid: number;
  /** Half of those that were paid took no longer than this; null without any. */
  readonly medianSeconds: number | null;
}

/** Above this many outcomes the newest tell enough, and the look stays cheap however busy the environment is. */
const newestOutcomes = 20_000;
const overdueSeconds = 60;

/**
 * Outcomes of the last hour by bank. A payout that never reached the rail because of its account number or name says
 * nothing about the bank; one that the rail has owed an answer about for a minute does.
 */
export async function readBankOutcomes(tx: Tx): Promise<BankOutcomes[]> {
  const now = tx.environment.clock.now();
  const since = new Date(now.getTime() - 3_600_000);
  const overdue = new Date(now.getTime() - overdueSeconds * 1000);
  const result = await sql<{ bank_code: string; paid: number; unpaid: number; median: number | null }>`
    with outcomes as (
      (select t.bank_code, t.status <> 'failed' as paid,
         case when t.status <> 'failed' then extract(epoch from t.completed_at - t.sent_at) end as seconds
       from transfers t
       where t.environment_id = ${tx.environment.id} and t.completed_at > ${since}
         and (t.status <> 'failed' or t.failure_code like 'nip%' or t.failure_code = 'bank_unavailable')
       order by t.completed_at desc limit ${newestOutcomes})
      union all
      (select t.bank_code, false, null from transfers t
       where t.environment_id = ${tx.environment.id} and t.status = 'processing' and t.sent_at < ${overdue}
       limit ${newestOutcomes})
    )
    select o.bank_code, count(*) filter (where o.paid)::integer as paid,
      count(*) filter (where not o.paid)::integer as unpaid,
      percentile_disc(0.5) within group (order by o.seconds)::float8 as median
    from outcomes o group by o.bank_code limit 1000`.execute(tx);
  return result.rows.map(({ bank_code: bankCode, paid, unpaid, median }) => ({
    bankCode,
    paid,
    unpaid,
    medianSeconds: median,
  }));
}
