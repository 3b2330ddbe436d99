/**
 * Compares every payment's row with what was posted for it, account by account: what an open one holds, what a final
 * one paid to each account, nothing for one that failed or came back, and the number of its postings. So a payment
 * that was settled twice, a commission paid twice, and a fee on a wrong account are named with the record. Accounts
 * that payments end on, and what wallets hold, have no other postings; together that makes every sum on them right, and
 * nothing held is ever below zero. Intact books return an empty list.
 */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { Difference } from "../platform/records/difference.ts";
import type { PaymentBooks } from "../platform/records/payment-books.ts";
import { heldAccountId, systemAccountId } from "./account.ts";

export async function verifyPayments(tx: Tx, books: readonly PaymentBooks[]): Promise<Difference[]> {
  const environment = tx.environment.id;
  const { owners, held } = await listHolds(tx);
  const types = books.map(({ type }) => type);
  const records = books.map(({ type, accounts, records: rows }) => {
    const ids = accounts.map((purpose) => systemAccountId(environment, purpose));
    return sql`select ${type}::text as type, r.*, ${ids}::uuid[] as accounts from (${rows(environment)}) r`;
  });
  // What is held is everybody's; any other account is for the slices that name it.
  const allowed = books.flatMap(({ type, accounts }) => ["held", ...accounts].map((name) => sql`(${name}, ${type})`));
  // The entries are read once: to look up those of each transaction would take hours.
  const result = await sql<Difference>`
    with records as (${sql.join(records, sql` union all `)}), holds as (
      select * from unnest(${owners}::uuid[], ${held}::uuid[]) as h (owner, held_id)
    ), written as materialized (
      select e.transaction_id, e.account_id, e.amount from entries e where e.environment_id = ${environment}
    ), posted as materialized (
      select t.resource_type as type, coalesce(t.resource_id, t.id) as record, w.account_id, w.amount
      from written w join ledger_transactions t on t.environment_id = ${environment} and t.id = w.transaction_id
    ), legs (type, record, account_id, expected, found) as (
      select r.type, r.id, r.owner, -r.held, 0::bigint from records r where r.held <> 0
      union all
      select r.type, r.id, r.owner, -part, 0 from records r cross join lateral unnest(r.parts) as part where part <> 0
      union all
      select r.type, r.id, h.held_id, r.held, 0 from records r join holds h on h.owner = r.owner where r.held <> 0
      union all
      select r.type, r.id, p.account_id, p.part, 0
      from records r cross join lateral unnest(r.accounts, r.parts) as p (account_id, part) where p.part <> 0
      union all
      select type, record, account_id, 0, amount from posted where type = any (${types}::text[])
    ), counted (type, record, expected, found) as (
      select type, id, postings, 0 from records
      union all
      select t.resource_type, coalesce(t.resource_id, t.id), 0, 1 from ledger_transactions t
      where t.environment_id = ${environment} and t.resource_type = any (${types}::text[])
    ), allowed (purpose, type) as (values ${sql.join(allowed)}), wrong (type, record, what, expected, found) as (
      select l.type, l.record, coalesce(a.purpose, l.account_id::text), sum(l.expected), sum(l.found)
      from legs l left join accounts a on a.environment_id = ${environment} and a.id = l.account_id
      group by l.type, l.record, l.account_id, a.purpose having sum(l.expected) <> sum(l.found)
      union all
      select type, record, 'postings', sum(expected), sum(found) from counted
      group by type, record having sum(expected) <> sum(found)
    )
    select type || ' is booked as its state says' as check, record || ' ' || what as subject,
      expected::text as expected, found::text as found
    from wrong
    union all
    select 'account has payments only', a.purpose, '0', sum(p.amount) || ' of ' || p.type
    from posted p join accounts a on a.environment_id = ${environment} and a.id = p.account_id
    where not a.has_floor and a.purpose in (select purpose from allowed)
      and (a.purpose, p.type) not in (select purpose, type from allowed)
    group by a.id, a.purpose, p.type
    order by 2 limit 1000`.execute(tx);
  return result.rows;
}

interface Holds {
  readonly owners: readonly string[];
  readonly held: readonly string[];
}

/** The account of what is held belongs to an account with a floor; only its id says to which. */
async function listHolds(tx: Tx): Promise<Holds> {
  const { rows } = await sql<{ id: string }>`
    select id from accounts where environment_id = ${tx.environment.id} and has_floor`.execute(tx);
  const owners = rows.map(({ id }) => id);
  return { owners, held: owners.map(heldAccountId) };
}
