/** What loans and purchases on credit have to tell in an overview. */
import { Type } from "typebox";
import { systemAccountId } from "../ledger/account.ts";
import { readBalances } from "../ledger/balance.ts";
import { negate } from "../money/arithmetic.ts";
import { nairaNumber, zeroKobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { named } from "../platform/http/named-schema.ts";
import { NairaNumber, OneOf } from "../platform/http/wire.ts";
import { keysOf } from "../platform/keys-of.ts";
import type { OverviewSource } from "../platform/records/overview.ts";
import type { LendingAccount } from "./lending-accounts.ts";
import { loanTransitions } from "./loan-account.ts";
import { countLoans } from "./overview-store.ts";

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
