/** What a transfer's row means to the ledger (settle-transfer.ts books it), for verification. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { Difference } from "../platform/records/difference.ts";
import type { PaymentBooks } from "../platform/records/payment-books.ts";
import { transferResource } from "./payouts/transfer.ts";

export const transferBooks: PaymentBooks = {
  type: transferResource,
  accounts: ["bank_settlement", "fee_income", "vat_payable", "stamp_duty_payable"],
  records: (environmentId) => sql`
    select id, source_account_id as owner,
      case when status in ('pending', 'processing') then amount + fee + vat + stamp_duty else 0 end as held,
      case when status = 'completed' then array[amount, fee, vat, stamp_duty] else '{}' end as parts,
      case status when 'pending' then 1 when 'processing' then 1 when 'reversed' then 3 else 2 end as postings
    from transfers where environment_id = ${environmentId}`,
};

/**
 * Every live payout was charged by the tariff that counted at that moment, as far as it is known when tariffs were
 * written. A sandbox's clock may be ahead of the world's, so there a tariff can be younger than its payouts. Intact
 * records return an empty list.
 */
export async function verifyTariffs(tx: Tx): Promise<Difference[]> {
  if (tx.environment.kind !== "LIVE") return [];
  const found = await sql<Difference>`
    with charged as (
      select t.id, t.fee, t.vat, t.stamp_duty, d.band_fee, (d.band_fee * d.vat_per_mille + 500) / 1000 as band_vat,
        case when t.amount >= d.stamp_duty_from then d.stamp_duty else 0 end as duty
      from transfers t
      cross join lateral (
        select f.vat_per_mille, f.stamp_duty, f.stamp_duty_from, (
          select (b.band ->> 'fee')::bigint from jsonb_array_elements(f.bands) with ordinality as b (band, place)
          where b.band ->> 'up_to' is null or t.amount <= (b.band ->> 'up_to')::bigint
          order by b.place limit 1) as band_fee
        from transfer_tariffs f
        where f.effective_from <= t.created_at and f.created_at <= t.created_at
        order by f.effective_from desc, f.version desc limit 1) d
      where t.environment_id = ${tx.environment.id} and t.purpose <> 'disbursement'
    )
    select 'payout is charged by the tariff of its day' as check, c.id::text as subject,
      concat_ws('/', c.band_fee, c.band_vat, c.duty) as expected, concat_ws('/', c.fee, c.vat, c.stamp_duty) as found
    from charged c
    where (c.fee, c.vat, c.stamp_duty) <> (c.band_fee, c.band_vat, c.duty)
    limit 1000`.execute(tx);
  return found.rows;
}
