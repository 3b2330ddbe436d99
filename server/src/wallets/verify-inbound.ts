/**
 * Follows money that came in: each credit of a provider is booked once, gross, with its fee; nothing else calls itself
 * one; and what is in suspense is what the operator's ledger says. Intact books return an empty list.
 */
import { sql } from "kysely";
import { systemAccountId } from "../ledger/account.ts";
import { readBalances } from "../ledger/balance.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Difference } from "../platform/records/difference.ts";
import type { ConnectionMode } from "../rails/provider.ts";
import { startingCeiling } from "./inbound-ceiling.ts";
import { operatorAccounts } from "./inbound-credit.ts";

/** Emptying a sandbox takes its books away and leaves what the provider took in, so only live books can be compared. */
export async function verifyInbound(tx: Tx): Promise<Difference[]> {
  if (tx.environment.kind !== "LIVE") return [];
  const environment = tx.environment.id;
  const clearing = systemAccountId(environment, "inbound_clearing");
  const costs = systemAccountId(environment, "inbound_costs");
  const result = await sql<Difference>`
    with booked as (
      select e.transaction_id, e.amount from entries e
      where e.environment_id = ${environment} and e.account_id = ${clearing} and e.amount < 0
    ), charged as (
      select t.resource_id as movement_id, -sum(e.amount) as fee from entries e
      join ledger_transactions t on t.environment_id = e.environment_id and t.id = e.transaction_id
      where e.environment_id = ${environment} and e.account_id = ${costs} group by t.resource_id
    ), credits as (
      select c.transaction_id, c.movement_id, c.wallet_id, c.amount,
        case c.state when 'credited' then c.fee else 0 end as fee
      from inbound_credits c where c.wallet_environment = ${environment}
    )
    select 'inbound credit is booked gross' as check, c.transaction_id as subject, (-c.amount)::text as expected,
      coalesce(b.amount::text, 'nothing') as found
    from credits c left join booked b on b.transaction_id = c.movement_id
    where b.amount is distinct from -c.amount
    union all
    select 'inbound credit is on its wallet', c.transaction_id, c.wallet_id::text,
      coalesce(m.to_account_id::text, 'none')
    from credits c
    left join wallet_movements m on m.environment_id = ${environment} and m.id = c.movement_id and m.amount = c.amount
    where m.to_account_id is distinct from c.wallet_id
    union all
    select 'inbound fee is booked', c.transaction_id, c.fee::text, coalesce(f.fee, 0)::text
    from credits c left join charged f on f.movement_id = c.movement_id
    where coalesce(f.fee, 0) <> c.fee
    union all
    select 'inbound booking has a credit', b.transaction_id::text, 'a credit', 'none'
    from booked b where not exists (select from credits c where c.movement_id = b.transaction_id)
    union all
    select 'inbound fee has a credit', f.movement_id::text, 'a credit', 'none'
    from charged f where not exists (select from credits c where c.movement_id = f.movement_id)
    limit 1000`.execute(tx);
  return result.rows;
}

/** In the operator's scope. */
export async function verifySuspense(tx: Tx): Promise<Difference[]> {
  return [...(await suspenseOf(tx, "live")), ...(await suspenseOf(tx, "test"))];
}

async function suspenseOf(tx: Tx, mode: ConnectionMode): Promise<Difference[]> {
  const accounts = operatorAccounts(mode);
  const ids = Object.values(accounts).map((purpose) => systemAccountId(tx.environment.id, purpose));
  const balances = await readBalances(tx, ids);
  const sums = await sql<{ open: bigint; fees: bigint }>`
    select coalesce(sum(amount) filter (where state = 'open'), 0)::bigint as open, coalesce(sum(fee), 0)::bigint as fees
    from inbound_credits where mode = ${mode} and state in ('open', 'assigned')`.execute(tx);
  const { open = 0n, fees = 0n } = sums.rows[0] ?? {};
  const expected = { suspense: open, costs: -fees, clearing: fees - open };
  return (["suspense", "costs", "clearing"] as const).flatMap((name) => {
    const found = balances.get(systemAccountId(tx.environment.id, accounts[name])) ?? 0n;
    if (found === expected[name]) return [];
    const check = `operator's ${accounts[name]} is what is in suspense`;
    return [{ check, subject: accounts[name], expected: String(expected[name]), found: String(found) }];
  });
}

/**
 * No wallet was credited by itself with more than a ceiling of the day let through. A ceiling that was changed on a day
 * counts with both figures, and so do those of the days beside it: clocks differ. In the operator's scope.
 */
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
