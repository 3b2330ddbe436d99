/** Reads many loans at once to change them, in as many statements as one loan takes. */
import type { Tx } from "../platform/database/database.ts";
import type { Loan } from "./loan.ts";
import type { LoanAccount } from "./loan-account.ts";
import { lockAccounts, readManyInstalments } from "./loan-account-store.ts";
import { type LoanHistory, positionOf } from "./position.ts";
import type { LoanProduct } from "./product.ts";
import { findProductVersion } from "./product-store.ts";
import { listManyReductions } from "./reduction-store.ts";
import { listManyRefunds, listManyRepayments } from "./repayment-store.ts";

/**
 * `known` are loans that the caller has read before. One whose account has the same version still is as it was, since
 * whatever changes a loan takes the next version.
 */
export async function lockLoans(
  tx: Tx,
  wanted: readonly string[],
  known: ReadonlyMap<string, Loan>,
): Promise<ReadonlyMap<string, Loan>> {
  const accounts = await lockAccounts(tx, wanted);
  const isKnown = ({ id, version }: LoanAccount) => known.get(id)?.account.version === version;
  const unread = await readLoans(
    tx,
    accounts.filter((account) => !isKnown(account)),
  );
  return new Map([...known, ...unread]);
}

async function readLoans(tx: Tx, accounts: readonly LoanAccount[]): Promise<ReadonlyMap<string, Loan>> {
  if (accounts.length === 0) return new Map();
  const ids = accounts.map(({ id }) => id);
  const instalments = await readManyInstalments(tx, ids);
  const repayments = Map.groupBy(await listManyRepayments(tx, ids), ({ accountId }) => accountId);
  const reductions = Map.groupBy(await listManyReductions(tx, ids), ({ accountId }) => accountId);
  const refunds = Map.groupBy(await listManyRefunds(tx, ids), ({ accountId }) => accountId);
  const productOf = await findProducts(tx, accounts);
  const loans = accounts.map((account): [string, Loan] => {
    const { id, writtenOffAt } = account;
    const product = productOf(account);
    const history: LoanHistory = {
      interestMethod: product.interestMethod,
      instalments: instalments.get(id) ?? [],
      repayments: repayments.get(id) ?? [],
      reductions: reductions.get(id) ?? [],
      refunds: refunds.get(id) ?? [],
      writtenOffAt,
    };
    return [id, { account, product, history, position: positionOf(history) }];
  });
  return new Map(loans);
}

/** Few products make many loans. */
async function findProducts(tx: Tx, accounts: readonly LoanAccount[]): Promise<(account: LoanAccount) => LoanProduct> {
  const nameOf = ({ productId, productVersion }: LoanAccount) => `${productId}/${productVersion}`;
  const found = new Map<string, LoanProduct>();
  for (const account of accounts) {
    if (found.has(nameOf(account))) continue;
    found.set(nameOf(account), await findProductVersion(tx, account.productId, account.productVersion));
  }
  return (account) => {
    const product = found.get(nameOf(account));
    if (product === undefined) throw new Error(`loan account ${account.id} has no product`);
    return product;
  };
}
