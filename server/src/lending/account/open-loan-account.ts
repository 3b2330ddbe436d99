/** A loan account before any decision: opened as pending, and given other terms while it is. */
import type { Tx } from "../../platform/database/database.ts";
import { type LoanProduct, type LoanTerms, termsErrors } from "../pricing/product.ts";
import { wrongState } from "./change-loan.ts";
import { lockLoan } from "./loan.ts";
import type { LoanAccount, OwnerKind } from "./loan-account.ts";
import { insertAccount, updateTerms } from "./loan-account-store.ts";

export interface OpenLoanAccount {
  readonly id?: string;
  readonly owner: { readonly kind: OwnerKind; readonly id: string };
  readonly product: LoanProduct;
  /** Checked by the caller with `termsErrors`, who can name the fields. */
  readonly terms: LoanTerms;
}

/** Opens a pending account. Nothing is priced yet that could change: the product version is kept with it. */
export async function openLoanAccount(tx: Tx, command: OpenLoanAccount): Promise<LoanAccount> {
  const { owner, product, terms } = command;
  const errors = termsErrors(product, terms);
  if (errors.length > 0) throw new Error(`the product does not offer this: ${JSON.stringify(errors)}`);
  const { clock } = tx.environment;
  const now = clock.now();
  const account: LoanAccount = {
    amount: terms.amount,
    tenor: terms.tenor,
    tenorType: terms.tenorType,
    id: command.id ?? clock.newId(),
    owner,
    productId: product.id,
    productVersion: product.version,
    status: "pending",
    version: 1,
    startDate: null,
    accrued: 0,
    writtenOffAt: null,
    createdAt: now,
    updatedAt: now,
    approvedAt: null,
    disbursedAt: null,
    closedAt: null,
  };
  await insertAccount(tx, account);
  return account;
}

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
