/**
 * Whether an id is one of an environment's wallets. Wallets are never deleted, so a yes can be remembered; a no is
 * asked again, because the wallet may be opened a moment later.
 */
import { type Database, readEnvironment } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
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
