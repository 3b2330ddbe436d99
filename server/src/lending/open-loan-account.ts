import type { Tx } from "../platform/database/database.ts";
import type { LoanAccount, OwnerKind } from "./loan-account.ts";
import { insertAccount } from "./loan-account-store.ts";
import { type LoanProduct, type LoanTerms, termsErrors } from "./product.ts";

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
