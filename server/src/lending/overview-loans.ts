/** What loans and purchases on credit have to tell in an overview. */

import { sql } from "kysely";
import { Type } from "typebox";
import { systemAccountId } from "../ledger/account.ts";
import { readBalances } from "../ledger/balance.ts";
import { negate } from "../money/arithmetic.ts";
import { type Kobo, kobo, nairaNumber, zeroKobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { earliestIdFrom, idBeyond } from "../platform/database/ids.ts";
import { named } from "../platform/http/named-schema.ts";
import { NairaNumber, OneOf } from "../platform/http/wire.ts";
import { keysOf } from "../platform/keys-of.ts";
import type { OverviewSource, Period } from "../platform/records/overview.ts";
import type { LendingAccount } from "./account/lending-accounts.ts";
import { type LoanStatus, loanTransitions } from "./account/loan-account.ts";

const loanFigures = named(
  "LoanFigures",
  Type.Object({
    outstanding: Type.Object(
      { principal: NairaNumber, interest: NairaNumber, fees: NairaNumber },
      { description: "What all borrowers owe now: principal, and what of interest and fees has fallen due." },
    ),
    byStatus: Type.Array(
      Type.Object({
        kind: OneOf(["loan", "checkout_loan"]),
        status: OneOf(keysOf(loanTransitions)),
        count: Type.Integer({ examples: [7] }),
        amount: NairaNumber,
      }),
      { description: "Loans that were asked for in the period, by the state that they have now." },
    ),
  }),
);

export const loanOverview: OverviewSource = {
  part: { name: "loans", schema: loanFigures },
  scope: "loans:read",
  read: async (tx, period) => ({
    figures: {
      outstanding: await readOutstanding(tx),
      byStatus: (await countLoans(tx, period)).map((counted) => ({ ...counted, amount: nairaNumber(counted.amount) })),
    },
    attention: [],
  }),
};

/** The ledger's own word: what is owed stands there as a negative balance. */
async function readOutstanding(tx: Tx) {
  const idOf = (purpose: LendingAccount) => systemAccountId(tx.environment.id, purpose);
  const ids = {
    principal: idOf("loan_book"),
    interest: idOf("interest_receivable"),
    fees: idOf("loan_fees_receivable"),
  };
  const balances = await readBalances(tx, Object.values(ids));
  const owed = (id: string) => nairaNumber(negate(balances.get(id) ?? zeroKobo));
  return { principal: owed(ids.principal), interest: owed(ids.interest), fees: owed(ids.fees) };
}

interface LoanCount {
  readonly kind: "loan" | "checkout_loan";
  readonly status: LoanStatus;
  readonly count: number;
  readonly amount: Kobo;
}

/** Loan accounts that were opened in the period, by what they are for and the state that they have now. */
async function countLoans(tx: Tx, { from, to }: Period): Promise<LoanCount[]> {
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
