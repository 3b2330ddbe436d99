import { Type } from "typebox";
import type { Database } from "../platform/database/database.ts";
import { drawStates } from "../platform/http/openapi/states.ts";
import type { Route } from "../platform/http/route.ts";
import type { EventCatalogue } from "../platform/records/event-catalogue.ts";
import type { OwedKind } from "../platform/records/owed-kind.ts";
import { rememberFor } from "../platform/remember.ts";
import type { Slice } from "../platform/slice-description.ts";
import { every } from "../platform/work/background-loop.ts";
import { senderLoops } from "../rails/queued-order.ts";
import { createKnownWallets } from "../wallets/known-wallets.ts";
import { rememberCatalogues } from "./catalogue/remembered-catalogues.ts";
import type { CatalogueSync } from "./catalogue/sync-catalogues.ts";
import { discoveryRoutes } from "./discovery/discovery-routes.ts";
import { validationRoutes } from "./discovery/validation-routes.ts";
import { billOperatorRoutes } from "./operator-routes.ts";
import { billOverview } from "./overview-bills.ts";
import type { Rates } from "./rate/rate.ts";
import { readRates } from "./rate/rate-store.ts";
import { billTrace } from "./trace-bills.ts";
import { billTransitions } from "./vending/bill.ts";
import { billReadRoutes } from "./vending/bill-routes.ts";
import { searchedBills } from "./vending/bill-store.ts";
import {
  billSweepSources,
  billTaskKinds,
  billTasks,
  createBillSender,
  type SenderDependencies,
} from "./vending/bills.job.ts";
import { billProblems } from "./vending/errors.ts";
import { billData } from "./vending/schemas.ts";
import { type BillSandboxDependencies, type BillViewDependencies, billSandboxRoutes } from "./vending/steer-routes.ts";
import { type VendRouteDependencies, vendRoutes } from "./vending/vend-routes.ts";
import { billBooks, verifyRates } from "./verify-bills.ts";

const readAt = "/bills/{id}";

const billEvents = {
  "bill.successful": {
    description: "The biller has delivered; the commission is in the wallet.",
    data: billData,
    readAt,
  },
  "bill.failed": {
    description: "The biller has definitely not delivered; amount and fee are back in the wallet.",
    data: billData,
    readAt,
  },
  "bill.reversed": {
    description: "The biller has taken back what it had delivered; the money is back, the commission taken back.",
    data: billData,
    readAt,
  },
} as const satisfies EventCatalogue;

interface RouteNeeds
  extends BillViewDependencies,
    Omit<VendRouteDependencies, "catalogues" | "rates" | "knownWallets"> {
  readonly simulatedBiller: { readonly decide: BillSandboxDependencies["decideVend"] };
}

interface WorkNeeds extends SenderDependencies {
  readonly catalogueSync: CatalogueSync;
}

const syncEveryMs = 60_000;

/** Bills whose outcome the biller owes us. */
const owedBills: OwedKind = {
  type: "bill",
  noun: "bills",
  gauge: "jara_unknown_bills",
  // CBN and NCC, framework for failed airtime and data: what is pending for a day counts as failed.
  clocks: [{ name: "refunded", seconds: 86_400 }],
  fields: {
    category: Type.String({ description: "Bills.", examples: ["electricity"] }),
    provider: Type.String({ description: "Bills.", examples: ["ikeja-electric"] }),
    catalogueVersion: Type.Integer({ description: "Bills: what priced it.", examples: [3] }),
  },
  detail: (column) => ({
    category: column("category"),
    provider: column("provider"),
    catalogueVersion: Number(column("catalogue_version")),
  }),
};

export const billSlice: Slice<RouteNeeds, WorkNeeds> = {
  sections: [
    {
      name: "Bills",
      description: [
        "Airtime, data, electricity, TV and betting: what is on offer, who the customer is, vending.",
        drawStates("a bill", billTransitions),
      ].join("\n\n"),
    },
  ],
  scopes: ["bills"],
  problems: billProblems,
  events: billEvents,
  lookupFunctions: {},
  systemAccounts: {
    bills_settlement: "What the billers have taken from us.",
    commission_expense: "What merchants earn on the bills they sell, paid by us out of what billers pay us.",
  },
  queues: { bills: { says: "Bills that wait to be sent to a biller", slowSeconds: 30 } },
  owedKinds: [owedBills],
  orderBooks: [
    {
      kind: "vend",
      type: "bill",
      port: "biller",
      booked: { account: "bills_settlement", sign: 1n },
    },
  ],
  traces: [billTrace],
  searched: searchedBills,
  overviews: [billOverview],
  taskKinds: billTaskKinds,
  sweepSources: billSweepSources,
  payments: [billBooks],
  checks: [verifyRates],
  routes: (needs) => {
    const { db } = needs;
    const catalogues = rememberCatalogues(db, needs.rails);
    const knownWallets = createKnownWallets(db);
    return [
      ...billRoutes({ ...needs, catalogues, knownWallets, rates: rememberRates(db) }),
      ...billSandboxRoutes({ decideVend: needs.simulatedBiller.decide }),
      ...billOperatorRoutes({ ...needs, catalogues }),
    ];
  },
  tasks: billTasks,
  loops: (needs) => [
    ...senderLoops("bill", (kind) => createBillSender(needs, kind)),
    { name: "lists of billers", step: every(syncEveryMs, () => needs.catalogueSync.readDue()) },
  ],
};

function billRoutes(deps: VendRouteDependencies): Route[] {
  return [...discoveryRoutes(deps.catalogues), ...validationRoutes(deps), ...vendRoutes(deps), ...billReadRoutes()];
}

/** The rates of all times, read once a minute at most: the one in force is chosen by the environment's time. */
const keepForMs = 60_000;

export function rememberRates(db: Database): () => Promise<Rates> {
  return rememberFor(keepForMs, () => readRates(db));
}
