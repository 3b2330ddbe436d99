import type { Slice } from "../platform/slice-description.ts";
import { every } from "../platform/work/background-loop.ts";
import { ceilingRoutes } from "./ceiling-routes.ts";
import { walletProblems } from "./errors.ts";
import { walletEvents } from "./events.ts";
import { inboundAccounts } from "./inbound-credit.ts";
import { virtualAccountSweepSources, virtualAccountTasks } from "./open-virtual-account.ts";
import { openWallets } from "./open-wallet.ts";
import { walletOperatorRoutes } from "./operator-routes.ts";
import { walletOverview } from "./overview-wallet.ts";
import { type WalletRouteDependencies, walletRoutes } from "./routes.ts";
import { walletSandboxRoutes } from "./sandbox-routes.ts";
import { searchedWallets } from "./search-store.ts";
import { statementRoutes } from "./statement-routes.ts";
import { suspenseRoutes } from "./suspense-routes.ts";
import { sweepCredits } from "./sweep-credits.job.ts";
import type { InboundDependencies } from "./take-inbound-hint.ts";
import { movementTrace } from "./trace-movements.ts";
import { verifyCeilings, verifyInbound, verifySuspense } from "./verify-inbound.ts";
import { openAccountTask } from "./virtual-account.ts";
import { walletTag } from "./wallet.ts";

const sweepEveryMs = 60_000;

export const walletSlice: Slice<WalletRouteDependencies, InboundDependencies> = {
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
    "find_wallets_of_credit(uuid,text,text)": "Money arrives for an account number before anybody knows whose it is.",
  },
  systemAccounts: inboundAccounts,
  traces: [movementTrace],
  searched: searchedWallets,
  overviews: [walletOverview],
  taskKinds: [openAccountTask],
  sweepSources: virtualAccountSweepSources,
  checks: [verifyInbound],
  operatorChecks: [verifySuspense, verifyCeilings],
  environmentOpened: openWallets,
  routes: (needs) => [
    ...walletRoutes(needs),
    ...statementRoutes(),
    ...walletSandboxRoutes(),
    ...walletOperatorRoutes(),
    ...suspenseRoutes(),
    ...ceilingRoutes(),
  ],
  tasks: virtualAccountTasks,
  loops: (needs) => [{ name: "credits of providers", step: every(sweepEveryMs, () => sweepCredits(needs)) }],
};
