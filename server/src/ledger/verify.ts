/**
 * Recomputes an environment's ledger from its entries and names every difference: transactions that do not sum to
 * zero, balances that are not the sum of their entries, running balances and numbers with a gap, entries without a
 * transaction or an account. An intact ledger returns an empty list.
 */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { Difference } from "../platform/records/difference.ts";

export async function verifyLedger(tx: Tx): Promise<Difference[]> {
  const environment = tx.environment.id;
  const result = await sql<Difference>`
    with transaction_sums as (
      select e.transaction_id, sum(e.amount) as total
      from entries e where e.environment_id = ${environment} group by e.transaction_id
    ), account_sums as (
      select e.account_id, sum(e.amount)::bigint as total, count(*) as entries
      from entries e where e.environment_id = ${environment} group by e.account_id
    ), deltas as (
      select d.account_id, sum(d.amount)::bigint as waiting
      from account_deltas d where d.environment_id = ${environment} group by d.account_id
    ), numbered as (
      select e.account_id, e.transaction_id, e.balance_after, e.account_entry,
        sum(e.amount) over account_order as running, row_number() over account_order as place
      from entries e where e.environment_id = ${environment} and e.account_entry is not null
      window account_order as (partition by e.account_id order by e.account_entry)
    )
    select 'transaction sums to zero' as check, s.transaction_id::text as subject,
      '0' as expected, s.total::text as found
    from transaction_sums s where s.total <> 0
    union all
    select 'balance equals entries', a.id::text, coalesce(s.total, 0)::text,
      (a.balance + coalesce(d.waiting, 0))::text
    from accounts a
    left join account_sums s on s.account_id = a.id
    left join deltas d on d.account_id = a.id
    where a.environment_id = ${environment} and a.balance + coalesce(d.waiting, 0) <> coalesce(s.total, 0)
    union all
    select 'entry count equals entries', a.id::text, coalesce(s.entries, 0)::text, a.entry_count::text
    from accounts a left join account_sums s on s.account_id = a.id
    where a.environment_id = ${environment} and a.has_floor and a.entry_count <> coalesce(s.entries, 0)
    union all
    select 'running balance', n.transaction_id::text, n.running::text, n.balance_after::text
    from numbered n where n.running <> n.balance_after
    union all
    select 'entry numbers have no gap', n.transaction_id::text, n.place::text, n.account_entry::text
    from numbered n where n.place <> n.account_entry
    union all
    select 'entry has an account', e.transaction_id::text, 'an account', e.account_id::text
    from entries e
    where e.environment_id = ${environment} and not exists (
      select from accounts a where a.environment_id = e.environment_id and a.id = e.account_id)
    union all
    select 'entry has a transaction', s.transaction_id::text, 'a transaction', 'none'
    from transaction_sums s
    where not exists (
      select from ledger_transactions t where t.environment_id = ${environment} and t.id = s.transaction_id)
    union all
    select 'environment sums to zero', ${environment}::text, '0', sum(s.total)::text
    from account_sums s having sum(s.total) <> 0
    limit 1000`.execute(tx);
  return result.rows;
}
