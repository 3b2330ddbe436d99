/** What a bill's row means to the ledger (settle-bill.ts books it), for verification. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { Difference } from "../platform/records/difference.ts";
import type { PaymentBooks } from "../platform/records/payment-books.ts";
import { mainWalletId } from "../wallets/wallet.ts";
import { billResource } from "./vending/bill.ts";

export const billBooks: PaymentBooks = {
  type: billResource,
  accounts: ["bills_settlement", "fee_income", "commission_expense"],
  records: (environmentId) => sql`
    select id, coalesce(source_account_id, ${mainWalletId(environmentId)}::uuid) as owner,
      case when status in ('pending', 'processing') then amount + fee else 0 end as held,
      case when status = 'successful' then array[amount, fee, -commission] else '{}' end as parts,
      case status when 'pending' then 1 when 'processing' then 1 when 'failed' then 2
        when 'successful' then 2 + (commission > 0)::integer else 3 + 2 * (commission > 0)::integer end as postings
    from bills where environment_id = ${environmentId}`,
};

/**
 * Every live bill was charged by the rate that counted at that moment, as far as it is known when rates were written.
 * A sandbox's clock may be ahead of the world's, so there a rate can be younger than its bills. Intact records return
 * an empty list.
 */
export async function verifyRates(tx: Tx): Promise<Difference[]> {
  if (tx.environment.kind !== "LIVE") return [];
  const found = await sql<Difference>`
    select 'bill is charged by the rate of its day' as check, b.id::text as subject,
      r.fee || ' and ' || b.amount * r.commission_basis_points / 10000 as expected,
      b.fee || ' and ' || b.commission as found
    from bills b
    cross join lateral (
      select fee, commission_basis_points from bill_rates
      where category = b.category and effective_from <= b.created_at and created_at <= b.created_at
      order by effective_from desc, version desc limit 1) r
    where b.environment_id = ${tx.environment.id}
      and (b.fee, b.commission) <> (r.fee, b.amount * r.commission_basis_points / 10000)
    limit 1000`.execute(tx);
  return found.rows;
}
