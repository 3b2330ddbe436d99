/**
 * Follows the lender's own money: what is available, held and lent together is what was put in and not taken out;
 * every movement of an operator's is in the ledger with its amount, and nothing else calls itself one; and each says
 * what was put in by then. Intact books return an empty list.
 */
import { sql } from "kysely";
import { systemAccountId } from "../../ledger/account.ts";
import { readBalances } from "../../ledger/balance.ts";
import { add } from "../../money/arithmetic.ts";
import { zeroKobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Difference } from "../../platform/records/difference.ts";
import { lenderAccounts, lenderPostingKinds } from "./lender-movement.ts";

export async function verifyLender(tx: Tx): Promise<Difference[]> {
  return [...(await placeDifferences(tx)), ...(await movementDifferences(tx)), ...(await sumDifferences(tx))];
}

/** Money enters and leaves the funds only across `outside`, whoever booked it: a sandbox starts with some. */
async function placeDifferences(tx: Tx): Promise<Difference[]> {
  const { id: environment } = tx.environment;
  const ids = lenderAccounts(environment);
  const balances = await readBalances(tx, Object.values(ids));
  const found = String(add(...Object.values(ids).map((id) => balances.get(id) ?? zeroKobo)));
  const put = await sql<{ total: string }>`
    select coalesce(sum(e.amount), 0)::text as total from entries e
    where e.environment_id = ${environment} and e.account_id = ${ids.available} and exists (
      select from entries o where o.environment_id = e.environment_id and o.transaction_id = e.transaction_id
        and o.account_id = ${systemAccountId(environment, "outside")})`.execute(tx);
  const expected = put.rows[0]?.total ?? "0";
  if (expected === found) return [];
  return [{ check: "lender's money is available, held or lent", subject: ids.available, expected, found }];
}

async function movementDifferences(tx: Tx): Promise<Difference[]> {
  const { id: environment } = tx.environment;
  const { available } = lenderAccounts(environment);
  const result = await sql<Difference>`
    with moved as (
      select m.id, case m.direction when 'deposit' then m.amount else -m.amount end as amount
      from lender_movements m where m.environment_id = ${environment}
    ), posted as (
      select t.id, e.amount from ledger_transactions t
      left join entries e on e.environment_id = t.environment_id and e.transaction_id = t.id
        and e.account_id = ${available}
      where t.environment_id = ${environment} and t.kind = any (${Object.values(lenderPostingKinds)}::text[])
    )
    select 'lender movement is in the ledger' as check, coalesce(m.id, p.id)::text as subject,
      coalesce(m.amount::text, 'no movement') as expected, coalesce(p.amount::text, 'no posting') as found
    from moved m full join posted p on p.id = m.id
    where m.amount is distinct from p.amount
    limit 1000`.execute(tx);
  return result.rows;
}

async function sumDifferences(tx: Tx): Promise<Difference[]> {
  const result = await sql<Difference>`
    with steps as (
      select m.id, m.funded_after,
        lag(m.funded_after) over (order by m.list_position)
          + case m.direction when 'deposit' then m.amount else -m.amount end as expected
      from lender_movements m where m.environment_id = ${tx.environment.id}
    )
    select 'lender movement follows the one before' as check, s.id::text as subject, s.expected::text as expected,
      s.funded_after::text as found
    from steps s where s.expected <> s.funded_after
    limit 1000`.execute(tx);
  return result.rows;
}
