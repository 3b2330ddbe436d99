import { Type } from "typebox";
import { drawStates } from "../platform/http/openapi/states.ts";
import type { Route } from "../platform/http/route.ts";
import type { OwedKind } from "../platform/records/owed-kind.ts";
import type { Slice } from "../platform/slice-description.ts";
import { bankName } from "../rails/bank-directory.ts";
import { senderLoops } from "../rails/queued-order.ts";
import { createKnownWallets } from "../wallets/known-wallets.ts";
import { createBankHealth, type ForcedHealth } from "./bank-health.ts";
import { batchRoutes } from "./batch-routes.ts";
import { discoveryRoutes } from "./discovery-routes.ts";
import { transferProblems } from "./errors.ts";
import { transferEvents } from "./events.ts";
import { transferOverview } from "./overview-transfers.ts";
import { type PayoutRouteDependencies, payoutRoutes } from "./payout-routes.ts";
import { rememberTariffs } from "./remembered-tariffs.ts";
import { searchedTransfers } from "./search-store.ts";
import {
  type TransferOperatorDependencies,
  type TransferSandboxDependencies,
  transferOperatorRoutes,
  transferSandboxRoutes,
} from "./steer-routes.ts";
import { tariffRoutes } from "./tariff-routes.ts";
import { transferTrace } from "./trace-transfers.ts";
import { transferTransitions } from "./transfer.ts";
import {
  createTransferSender,
  type SenderDependencies,
  transferSweepSources,
  transferTaskKinds,
  transferTasks,
} from "./transfers.job.ts";
import { transferBooks, verifyTariffs } from "./verify-transfers.ts";

interface RouteNeeds
  extends Omit<TransferRouteDependencies, "knownWallets" | "tariffs" | "forcedHealth">,
    TransferOperatorDependencies {
  readonly simulatedBank: {
    readonly decide: TransferSandboxDependencies["decidePayment"];
    readonly conditions: { readonly all: ForcedHealth };
  };
}

const ofTransfers = (example: string) => Type.String({ description: "Transfers.", examples: [example] });

/** Payouts whose outcome the bank owes us. */
export const owedTransfers: OwedKind = {
  type: "transfer",
  noun: "payouts",
  gauge: "jara_unknown_transfers",
  // CBN, Regulation on Instant EFT (2018): what failed is back with the sender within ten minutes; what is not reversed
  // within a day of a complaint is fined.
  clocks: [
    { name: "returned", seconds: 600 },
    { name: "resolved", seconds: 86_400 },
  ],
  fields: {
    bankCode: ofTransfers("044"),
    bankName: ofTransfers("Access Bank"),
    sessionId: ofTransfers("999001261103101500000000000042"),
  },
  detail: (column) => {
    const bankCode = column("bank_code");
    return { bankCode, bankName: bankName(bankCode), sessionId: column("session_id") };
  },
};

export const transferSlice: Slice<RouteNeeds, SenderDependencies> = {
  sections: [
    {
      name: "Transfers",
      description: [
        "Payouts to Nigerian bank accounts, one at a time or thousands in a request.",
        drawStates("a transfer", transferTransitions),
      ].join("\n\n"),
    },
  ],
  scopes: ["transfers"],
  problems: transferProblems,
  events: transferEvents,
  lookupFunctions: {},
  systemAccounts: { bank_settlement: "What the bank rail has taken from us." },
  queues: { transfers: { says: "Payouts and disbursements that wait to be sent to a bank", slowSeconds: 30 } },
  owedKinds: [owedTransfers],
  orderBooks: [
    {
      kind: "payout",
      type: "transfer",
      port: "bank",
      booked: { account: "bank_settlement", sign: 1n },
    },
  ],
  traces: [transferTrace],
  searched: searchedTransfers,
  overviews: [transferOverview],
  taskKinds: transferTaskKinds,
  sweepSources: transferSweepSources,
  payments: [transferBooks],
  checks: [verifyTariffs],
  routes: (needs) => [
    ...transferRoutes({
      ...needs,
      knownWallets: createKnownWallets(needs.db),
      tariffs: rememberTariffs(needs.db),
      forcedHealth: needs.simulatedBank.conditions.all,
    }),
    ...transferSandboxRoutes({ decidePayment: needs.simulatedBank.decide }),
    ...transferOperatorRoutes(needs),
    ...tariffRoutes(),
  ],
  tasks: transferTasks,
  loops: (needs) => senderLoops("transfer", (kind) => createTransferSender(needs, kind)),
};

interface TransferRouteDependencies extends PayoutRouteDependencies {
  readonly forcedHealth: ForcedHealth;
}

function transferRoutes(deps: TransferRouteDependencies): Route[] {
  const readHealth = createBankHealth(deps.db, deps.forcedHealth);
  return [...discoveryRoutes(deps, readHealth), ...payoutRoutes(deps), ...batchRoutes(deps)];
}
