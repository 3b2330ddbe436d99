/** Wallets together with what they hold. */
import { heldAccountId } from "../ledger/account.ts";
import { readBalances } from "../ledger/balance.ts";
import { type Kobo, zeroKobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { type PageRequest, type Pagination, readPage } from "../platform/records/pagination.ts";
import { requireWallet } from "./credit-wallet.ts";
import { mainWalletId, subAccountList, type Wallet, type WalletBalance } from "./wallet.ts";
import { readWallets } from "./wallet-store.ts";

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
  const held = heldAccountId(id);
  const balances = await readBalances(tx, [id, held]);
  return { accountId: id, available: balances.get(id) ?? zeroKobo, held: balances.get(held) ?? zeroKobo };
}
