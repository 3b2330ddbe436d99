import type { Slice } from "../platform/slice-description.ts";
import { walletProblems } from "./errors.ts";
import { walletEvents } from "./events.ts";
import { openWallets } from "./open-wallet.ts";
import { walletOperatorRoutes } from "./operator-routes.ts";
import { type WalletRouteDependencies, walletRoutes } from "./routes.ts";
import { walletSandboxRoutes } from "./sandbox-routes.ts";
import { statementRoutes } from "./statement-routes.ts";
import { walletTag } from "./wallet.ts";

export const walletSlice: Slice<WalletRouteDependencies, unknown> = {
  sections: [
    {
      name: walletTag,
      description: "The main wallet, sub-accounts with their virtual account numbers, and statements.",
    },
  ],
  scopes: ["wallets"],
  problems: walletProblems,
  events: walletEvents,
  lookupFunctions: {
    "find_wallet_by_number(text)": "Money arrives for an account number before anybody knows whose it is.",
    "find_wallet_environment(uuid)": "An operator names a wallet by its id alone.",
  },
  environmentOpened: openWallets,
  routes: (needs) => [
    ...walletRoutes(needs),
    ...statementRoutes(needs),
    ...walletSandboxRoutes(),
    ...walletOperatorRoutes(),
  ],
};
