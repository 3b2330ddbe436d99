import { sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { earliestIdFrom, idBeyond } from "../platform/database/ids.ts";
import type { Period } from "../platform/records/overview.ts";
import type { BillCategory } from "../rails/biller.ts";
import type { BillStatus } from "./bill.ts";

export interface BillCount {
  readonly category: BillCategory;
  readonly status: BillStatus;
  readonly count: number;
  readonly amount: Kobo;
  readonly commission: Kobo;
}

/** Bills that were accepted in the period, by category and state. */
export async function countBills(tx: Tx, { from, to }: Period): Promise<BillCount[]> {
  const found = await sql<Omit<BillCount, "amount" | "commission"> & { amount: bigint; commission: bigint }>`
    select b.category, b.status, count(*)::integer as count, sum(b.amount)::bigint as amount,
      sum(b.commission)::bigint as commission
    from bills b
    where b.environment_id = ${tx.environment.id}
      and b.id >= ${earliestIdFrom(from)}::uuid and b.id < ${idBeyond(to)}::uuid
      and b.created_at >= ${from} and b.created_at < ${to}
    group by b.category, b.status order by count desc limit 100`.execute(tx);
  return found.rows.map((row) => ({ ...row, amount: kobo(row.amount), commission: kobo(row.commission) }));
}
