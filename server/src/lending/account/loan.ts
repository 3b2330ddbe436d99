/** A loan read whole: its account, the product version it was made with, what happened, and where it stands. */
import type { Tx } from "../../platform/database/database.ts";
import { type LoanHistory, type LoanPosition, positionOf } from "../position/position.ts";
import type { LoanProduct } from "../pricing/product.ts";
import { findProductVersion } from "../pricing/product-store.ts";
import type { LoanAccount } from "./loan-account.ts";
import { findAccount, readInstalments } from "./loan-account-store.ts";
import { listReductions } from "./reduction-store.ts";
import { listRefunds, listRepayments } from "./repayment-store.ts";

/** What was agreed: the account, and the product version it was made with. */
export interface LoanContract {
  readonly account: LoanAccount;
  readonly product: LoanProduct;
}

export interface Loan extends LoanContract {
  readonly history: LoanHistory;
  readonly position: LoanPosition;
}

async function findContract(tx: Tx, id: string, options: { lock: boolean }): Promise<LoanContract | undefined> {
  const account = await findAccount(tx, id, options);
  if (account === undefined) return undefined;
  return { account, product: await findProductVersion(tx, account.productId, account.productVersion) };
}

/** Terms need no computed loan. Who owns an account knows its id: one that does not exist is a bug. */
export async function readContract(tx: Tx, accountId: string): Promise<LoanContract> {
  const contract = await findContract(tx, accountId, { lock: false });
  if (contract === undefined) throw new Error(`there is no loan account ${accountId}`);
  return contract;
}

export async function findLoan(tx: Tx, id: string, options = { lock: false }): Promise<Loan | undefined> {
  const contract = await findContract(tx, id, options);
  if (contract === undefined) return undefined;
  const { account, product } = contract;
  const history: LoanHistory = {
    interestMethod: product.interestMethod,
    instalments: await readInstalments(tx, id),
    repayments: account.disbursedAt === null ? [] : await listRepayments(tx, id),
    reductions: account.disbursedAt === null ? [] : await listReductions(tx, id),
    refunds: account.disbursedAt === null ? [] : await listRefunds(tx, id),
    writtenOffAt: account.writtenOffAt,
  };
  return { account, product, history, position: positionOf(history) };
}

/** A loan whose account was just opened: nothing has happened to it. */
export function newLoan({ account, product }: LoanContract): Loan {
  const nothing = { instalments: [], repayments: [], reductions: [], refunds: [], writtenOffAt: null };
  const history: LoanHistory = { interestMethod: product.interestMethod, ...nothing };
  return { account, product, history, position: positionOf(history) };
}

/** Reads a loan to change it. Who owns an account knows its id: one that does not exist is a bug. */
export async function lockLoan(tx: Tx, id: string): Promise<Loan> {
  const loan = await findLoan(tx, id, { lock: true });
  if (loan === undefined) throw new Error(`there is no loan account ${id}`);
  return loan;
}
