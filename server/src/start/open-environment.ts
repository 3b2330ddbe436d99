import { openSystemAccounts } from "../ledger/open-accounts.ts";
import type { Tx } from "../platform/database/database.ts";
import { house, type JaraHouse } from "./slices.ts";

/** What an environment is given before anybody sees it, and again when a sandbox was emptied. */
export const openEnvironment = openEnvironmentOf(house);

/** The accounts come first: what slices give a new environment may be money. */
export function openEnvironmentOf(all: JaraHouse): (inside: Tx) => Promise<void> {
  const purposes = Object.keys(all.systemAccounts);
  return async (inside) => {
    await openSystemAccounts(inside, purposes);
    await all.environmentOpened(inside);
  };
}
