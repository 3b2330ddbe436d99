import { sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { earliestIdFrom, idBeyond } from "../platform/database/ids.ts";
import type { Period } from "../platform/records/overview.ts";
import type { LoanStatus } from "./loan-account.ts";

export interface LoanCount {
  readonly kind: "loan" | "checkout_loan";
  readonly status: LoanStatus;
  readonly count: number;
  readonly amount: Kobo;
}

/** Loan accounts that were opened in the period, by what they are for and the state that they have now. */
export async function countLoans(tx: Tx, { from, to }: Period): Promise<LoanCount[]> {
  const found = await sql<Omit<LoanCount, "amount"> & { amount: bigint }>`
    select case a.owner_kind when 'loan_request' then 'loan' else 'checkout_loan' end as kind, a.status,
      count(*)::integer as count, sum(a.amount)::bigint as amount
    from loan_accounts a
    where a.environment_id = ${tx.environment.id}
      and a.id >= ${earliestIdFrom(from)}::uuid and a.id < ${idBeyond(to)}::uuid
      and a.created_at >= ${from} and a.created_at < ${to}
    group by a.owner_kind, a.status order by count desc limit 100`.execute(tx);
  return found.rows.map((row) => ({ ...row, amount: kobo(row.amount) }));
}
