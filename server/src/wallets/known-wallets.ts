/**
 * Whether an id is one of an environment's wallets. Wallets are never deleted, so a yes can be remembered; a no is
 * asked again, because the wallet may be opened a moment later.
 */
import { type Database, readEnvironment } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { walletProblem } from "./errors.ts";
import { mainWalletId } from "./wallet.ts";
import { findWallet } from "./wallet-store.ts";

export interface KnownWallets {
  has(environmentId: string, walletId: string): Promise<boolean>;
}

const remembered = 100_000;

export function createKnownWallets(db: Database): KnownWallets {
  const known = new Set<string>();
  return {
    async has(environmentId, walletId) {
      const key = `${environmentId}/${walletId}`;
      if (known.has(key)) return true;
      if (!isUuid(walletId)) return false;
      const found = await readEnvironment(db, environmentId, (tx) => findWallet(tx, walletId));
      if (found === undefined) return false;
      if (known.size >= remembered) known.clear();
      known.add(key);
      return true;
    },
  };
}

/** The wallet that was named, null for the main one. Throws source_account_not_found for a wallet of somebody else. */
export async function requireWallet(
  knownWallets: KnownWallets,
  environmentId: string,
  walletId: string | null,
): Promise<string | null> {
  if (walletId === null || walletId === mainWalletId(environmentId)) return null;
  if (!(await knownWallets.has(environmentId, walletId))) throw walletProblem("source_account_not_found");
  return walletId;
}
