/** Opening wallets: the main one with its environment, sub-accounts when the merchant asks. */
import { openFloorAccounts } from "../ledger/open-accounts.ts";
import type { Tx } from "../platform/database/database.ts";
import { commonProblem } from "../platform/problem.ts";
import { takePositions } from "../platform/records/pagination.ts";
import { claimReferences } from "../platform/records/reference-claims.ts";
import { newAccountNumber } from "./virtual-account-number.ts";
import { mainWalletId, subAccountList, type Wallet } from "./wallet.ts";
import { findWallet, insertWallet } from "./wallet-store.ts";

const numberAttempts = 20;

/** Gives a new environment its main wallet. Repeating it changes nothing. */
export async function openWallets(tx: Tx): Promise<void> {
  const id = mainWalletId(tx.environment.id);
  if ((await findWallet(tx, id)) !== undefined) return;
  await open(tx, { id, isMain: true, accountName: "Main wallet", externalId: null }, null);
}

export interface OpenSubAccount {
  readonly accountName: string;
  /** The merchant's own name for it, used once in the environment. */
  readonly externalId: string | null;
}

/** Opens a sub-account, or finds the one that the external id stands for already. */
export async function openSubAccount(
  tx: Tx,
  { accountName, externalId }: OpenSubAccount,
): Promise<{ wallet: Wallet; replayed: boolean }> {
  const id = tx.environment.clock.newId();
  if (externalId !== null) {
    const [holder] = await claimReferences(tx, subAccountList, [{ references: [externalId], recordId: id }]);
    const earlier = holder == null ? undefined : await findWallet(tx, holder);
    if (earlier !== undefined) return replay(earlier, accountName);
  }
  const position = await takePositions(tx, subAccountList, 1);
  const wallet = await open(tx, { id, isMain: false, accountName, externalId }, position);
  return { wallet, replayed: false };
}

function replay(wallet: Wallet, accountName: string): { wallet: Wallet; replayed: boolean } {
  if (wallet.accountName === accountName) return { wallet, replayed: true };
  throw commonProblem("reference_conflict", { data: { fields: ["accountName"] } });
}

/** The account comes first: a wallet without one would be a number that money disappears into. */
async function open(
  tx: Tx,
  wallet: Omit<Wallet, "accountNumber" | "createdAt">,
  position: bigint | null,
): Promise<Wallet> {
  const { clock } = tx.environment;
  await openFloorAccounts(tx, "wallet", [wallet.id]);
  for (let attempt = 0; attempt < numberAttempts; attempt += 1) {
    const numbered = { ...wallet, accountNumber: newAccountNumber(clock), createdAt: clock.now() };
    if (await insertWallet(tx, numbered, position)) return numbered;
  }
  throw new Error(`no free account number was found in ${numberAttempts} attempts`);
}
