import type { Tx } from "../platform/database/database.ts";
import { wrongState } from "./change-loan.ts";
import { lockLoan } from "./loan.ts";
import type { LoanAccount } from "./loan-account.ts";
import { updateTerms } from "./loan-account-store.ts";
import { type LoanTerms, termsErrors } from "./product.ts";

export interface ChangeLoanTerms {
  readonly accountId: string;
  /** Checked by the caller with `termsErrors`, who can name the fields. */
  readonly terms: LoanTerms;
}

/**
 * Other terms for a loan that nobody has approved: there is no plan yet that they could contradict. The product version
 * stays the one that the loan was opened with. The same terms again change nothing, not even the version. The owner is
 * who asks for this, so nobody is told. Throws invalid_state from approval on.
 */
export async function changeLoanTerms(tx: Tx, { accountId, terms }: ChangeLoanTerms): Promise<LoanAccount> {
  const { account, product } = await lockLoan(tx, accountId);
  if (account.status !== "pending") throw wrongState(account.status);
  const errors = termsErrors(product, terms);
  if (errors.length > 0) throw new Error(`the product does not offer this: ${JSON.stringify(errors)}`);
  const { amount, tenor, tenorType } = terms;
  if (account.amount === amount && account.tenor === tenor && account.tenorType === tenorType) return account;
  const stamp = { version: account.version + 1, updatedAt: tx.environment.clock.now() };
  const changed = { ...account, amount, tenor, tenorType, ...stamp };
  if (!(await updateTerms(tx, account, changed))) throw new Error(`loan account ${accountId} was not locked`);
  return changed;
}
