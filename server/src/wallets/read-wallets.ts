/** Wallets together with what they hold. */
import { heldAccountId } from "../ledger/account.ts";
import { readBalances } from "../ledger/balance.ts";
import { type Kobo, zeroKobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { type PageRequest, type Pagination, readPage } from "../platform/records/pagination.ts";
import { requireWallet } from "./credit-wallet.ts";
import { mainWalletId, subAccountList, type Wallet, type WalletBalance } from "./wallet.ts";
import { filterWallets, readWallets } from "./wallet-store.ts";

export interface FundedWallet {
  readonly wallet: Wallet;
  readonly available: Kobo;
}

/** One page of the sub-accounts, newest first. */
export async function listSubAccounts(
  tx: Tx,
  page: PageRequest,
): Promise<{ rows: FundedWallet[]; pagination: Pagination }> {
  const { rows, pagination } = await readPage(tx, subAccountList, page, (range) => readWallets(tx, range));
  const balances = await readBalances(
    tx,
    rows.map((wallet) => wallet.id),
  );
  return {
    rows: rows.map((wallet) => ({ wallet, available: balances.get(wallet.id) ?? zeroKobo })),
    pagination,
  };
}

export async function readWallet(tx: Tx, id: string): Promise<FundedWallet> {
  const wallet = await requireWallet(tx, id);
  return { wallet, available: (await readBalances(tx, [id])).get(id) ?? zeroKobo };
}

/** The main wallet's unless another is named. */
export async function readBalance(tx: Tx, accountId = mainWalletId(tx.environment.id)): Promise<WalletBalance> {
  const { id } = await requireWallet(tx, accountId);
  const balance = (await readWalletBalances(tx, [id])).get(id);
  if (balance === undefined) throw new Error(`wallet ${id} has no account`);
  return balance;
}

/** By id, which is a UUID; what is not a wallet of the environment is left out. */
export async function readWalletBalances(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, WalletBalance>> {
  const accounts = ids.flatMap((id) => [id, heldAccountId(id)]);
  const [wallets, balances] = await Promise.all([filterWallets(tx, ids), readBalances(tx, accounts)]);
  const balanceOf = (accountId: string): WalletBalance => ({
    accountId,
    available: balances.get(accountId) ?? zeroKobo,
    held: balances.get(heldAccountId(accountId)) ?? zeroKobo,
  });
  return new Map([...wallets].map((id) => [id, balanceOf(id)]));
}
