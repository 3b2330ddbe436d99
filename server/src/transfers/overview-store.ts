import { sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { earliestIdFrom, idBeyond } from "../platform/database/ids.ts";
import type { Period } from "../platform/records/overview.ts";
import type { TransferStatus } from "./transfer.ts";

export interface PayoutCount {
  readonly bankCode: string;
  readonly status: TransferStatus;
  readonly count: number;
  readonly amount: Kobo;
  /** From acceptance to outcome; null while there is none. */
  readonly medianSeconds: number | null;
}

/** Payouts that were accepted in the period, by bank and state. Ids carry their time, so the primary key finds them. */
export async function countPayouts(tx: Tx, { from, to }: Period): Promise<PayoutCount[]> {
  const found = await sql<Omit<PayoutCount, "amount"> & { amount: bigint }>`
    select t.bank_code as "bankCode", t.status, count(*)::integer as count, sum(t.amount)::bigint as amount,
      percentile_cont(0.5) within group (order by extract(epoch from t.completed_at - t.created_at)) as "medianSeconds"
    from transfers t
    where t.environment_id = ${tx.environment.id} and t.purpose = 'payout'
      and t.id >= ${earliestIdFrom(from)}::uuid and t.id < ${idBeyond(to)}::uuid
      and t.created_at >= ${from} and t.created_at < ${to}
    group by t.bank_code, t.status order by count desc limit 5000`.execute(tx);
  return found.rows.map((row) => ({ ...row, amount: kobo(row.amount) }));
}
