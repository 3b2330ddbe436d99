import { openCheckout } from "./checkout/credit/policies.ts";
import { openLending } from "./lending/open-lending.ts";
import type { Environment } from "./merchants/merchant.ts";
import type { Tx } from "./platform/database/database.ts";
import { openWallets } from "./wallets/open-wallet.ts";

/** What an environment is given before anybody sees it, and again when a sandbox was emptied. */
export async function openEnvironment(inside: Tx, environment: Environment): Promise<void> {
  await openWallets(inside);
  await openLending(inside, environment);
  await openCheckout(inside);
}
