/**
 * Compares what each loan says is owed of it with its account: what a person owes at all merchants is added up from it.
 * Intact records return an empty list.
 */
import { nairaString } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { readLoansAfter } from "./checkout-loan-store.ts";
import { computeOwedPrincipal } from "./owed-principal.ts";

export interface CreditDifference {
  readonly check: string;
  readonly subject: string;
  readonly expected: string;
  readonly found: string;
}

const pageSize = 200;

export async function verifyCredit(tx: Tx): Promise<CreditDifference[]> {
  const differences: CreditDifference[] = [];
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
