import { Type } from "typebox";
import { drawStates } from "../platform/http/openapi/states.ts";
import type { Route } from "../platform/http/route.ts";
import type { EventCatalogue } from "../platform/records/event-catalogue.ts";
import type { OwedKind } from "../platform/records/owed-kind.ts";
import type { Slice } from "../platform/slice-description.ts";
import { bankName } from "../rails/bank-directory.ts";
import { senderLoops } from "../rails/queued-order.ts";
import { createKnownWallets } from "../wallets/known-wallets.ts";
import { batchRoutes } from "./batches/batch-routes.ts";
import { batchData } from "./batches/batch-schemas.ts";
import { searchedBatches } from "./batches/batch-store.ts";
import { batchProblems } from "./batches/errors.ts";
import { createBankHealth, type ForcedHealth } from "./discovery/bank-health.ts";
import { discoveryRoutes } from "./discovery/discovery-routes.ts";
import { nameProblems } from "./names/name-enquiry.ts";
import { transferOverview } from "./overview-transfers.ts";
import { transferProblems } from "./payouts/errors.ts";
import { type PayoutRouteDependencies, payoutRoutes } from "./payouts/payout-routes.ts";
import { transferData } from "./payouts/schemas.ts";
import { transferTransitions } from "./payouts/transfer.ts";
import { searchedTransfers } from "./payouts/transfer-store.ts";
import {
  type TransferOperatorDependencies,
  type TransferSandboxDependencies,
  transferOperatorRoutes,
  transferSandboxRoutes,
} from "./sending/steer-routes.ts";
import {
  createTransferSender,
  type SenderDependencies,
  transferSweepSources,
  transferTaskKinds,
  transferTasks,
} from "./sending/transfers.job.ts";
import { rememberTariffs } from "./tariff/remembered-tariffs.ts";
import { tariffRoutes } from "./tariff/tariff-routes.ts";
import { transferTrace } from "./trace-transfers.ts";
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

const readAt = "/transfers/{id}";

export const transferEvents = {
  "transfer.completed": { description: "The bank has paid the recipient.", data: transferData, readAt },
  "transfer.failed": {
    description: "The payout was refused; amount and fees are back in the wallet.",
    data: transferData,
    readAt,
  },
  "transfer.reversed": {
    description: "The bank took a completed payout back; amount and fees are back in the wallet.",
    data: transferData,
    readAt,
  },
  "transfer.batch.completed": {
    description: "Every payout of a batch has reached its final state.",
    data: batchData,
    readAt: "/transfers/bulk/{batchId}",
  },
} as const satisfies EventCatalogue;

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
  problems: { ...transferProblems, ...nameProblems, ...batchProblems },
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
  searched: [searchedTransfers, searchedBatches],
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
