/** The checks of `npm run verify` about the checkout. Intact records return an empty list. */
import { sql } from "kysely";
import { nairaString } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Difference } from "../platform/records/difference.ts";
import { readLoansAfter } from "./loans/checkout-loan-store.ts";
import { computeOwedPrincipal } from "./loans/owed-principal.ts";

const mostNamed = 1_000;
const pageSize = 200;

/** What each loan says is owed of it equals its account: what a person owes at all merchants is added up from it. */
export async function verifyCredit(tx: Tx): Promise<Difference[]> {
  const differences: Difference[] = [];
  let after: string | null = null;
  for (;;) {
    const loans = await readLoansAfter(tx, after, pageSize);
    for (const loan of loans) {
      const owed = await computeOwedPrincipal(tx, loan);
      const [expected, found] = [nairaString(owed), nairaString(loan.owedPrincipal)];
      if (expected !== found) differences.push({ check: "owed principal", subject: loan.id, expected, found });
    }
    after = loans.at(-1)?.id ?? null;
    if (loans.length < pageSize) return differences;
  }
}

/**
 * Every live loan was requested under the policy that counted at that moment. A sandbox's clock can be set back, so
 * there a later version may rightly bear an earlier date.
 */
export async function verifyPolicies(tx: Tx): Promise<Difference[]> {
  if (tx.environment.kind !== "LIVE") return [];
  const found = await sql<Difference>`
    select 'loan has the policy of its day' as check, l.id::text as subject,
      coalesce(d.version::text, 'none') as expected, l.policy_version::text as found
    from checkout_loans l
    left join lateral (
      select p.version from credit_policies p
      where p.environment_id = l.environment_id and p.effective_from <= l.created_at and p.created_at <= l.created_at
      order by p.effective_from desc, p.version desc limit 1) d on true
    where l.environment_id = ${tx.environment.id} and d.version is distinct from l.policy_version
    limit ${mostNamed}`.execute(tx);
  return found.rows;
}

/**
 * Refunds to cards, made and in progress, next to the charges they are parts of: none gives back more than it paid, and
 * none whose repayment was reversed gives back anything. Lending's own check sees only what is booked.
 */
export async function verifyCardRefunds(tx: Tx): Promise<Difference[]> {
  const found = await sql<{ id: string; kept: bigint; back: bigint }>`
    select c.id, k.kept, sum(r.amount)::bigint as back
    from card_refunds r
    join card_charges c on c.environment_id = r.environment_id and c.id = r.charge_id
    left join loan_repayments p on p.environment_id = c.environment_id and p.id = c.repayment_id
    cross join lateral (
      select case when p.id is null or p.reversed_at is not null then 0 else c.amount end as kept) k
    where r.environment_id = ${tx.environment.id} and r.status <> 'failed'
    group by c.id, k.kept having sum(r.amount) > k.kept
    order by c.id limit ${mostNamed}`.execute(tx);
  return found.rows.map(({ id, kept, back }) => ({
    check: "no charge gives back more than it paid",
    subject: id,
    expected: `at most ${kept}`,
    found: String(back),
  }));
}
