import type { EventCatalogue } from "../platform/records/event-catalogue.ts";
import type { Slice } from "../platform/slice-description.ts";
import { every } from "../platform/work/background-loop.ts";
import { ceilingRoutes } from "./ceiling-routes.ts";
import { walletProblems } from "./errors.ts";
import { inboundAccounts } from "./inbound-credit.ts";
import { virtualAccountSweepSources, virtualAccountTasks } from "./open-virtual-account.ts";
import { openWallets } from "./open-wallet.ts";
import { walletOperatorRoutes } from "./operator-routes.ts";
import { walletOverview } from "./overview-wallet.ts";
import { type WalletRouteDependencies, walletRoutes } from "./routes.ts";
import { walletSandboxRoutes } from "./sandbox-routes.ts";
import { lineData } from "./schemas.ts";
import { searchedWallets } from "./search-store.ts";
import { statementRoutes } from "./statement-routes.ts";
import { subAccountStateData } from "./sub-account-state.ts";
import { suspenseRoutes } from "./suspense-routes.ts";
import { sweepCredits } from "./sweep-credits.job.ts";
import type { InboundDependencies } from "./take-inbound-hint.ts";
import { movementTrace } from "./trace-movements.ts";
import { verifyCeilings, verifyInbound, verifySuspense } from "./verify-inbound.ts";
import { openAccountTask } from "./virtual-account.ts";
import { walletTag } from "./wallet.ts";

const walletEvents = {
  "wallet.credited": {
    description: "Money came into a wallet from outside: a payment to its virtual account, funding, an operator.",
    data: lineData,
    readAt: "/wallets/transactions?accountId={accountId}",
  },
  "wallet.opened": {
    description: "A provider gave a live sub-account its number: it can be paid into and used from now on.",
    data: subAccountStateData,
    readAt: "/wallets/sub-accounts/{id}",
  },
  "wallet.refused": {
    description: "A provider refused to give a sub-account a number. Its externalId is free again.",
    data: subAccountStateData,
    readAt: "/wallets/sub-accounts/{id}",
  },
} as const satisfies EventCatalogue;

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
