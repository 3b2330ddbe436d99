/** Every slice of the product, in the order in which the API reference shows them; and all of them folded into one. */
import { approvalSlice } from "../approvals/slice.ts";
import { archiveSlice } from "../archives/slice.ts";
import { authSlice } from "../auth/slice.ts";
import { billSlice } from "../bills/slice.ts";
import { checkoutSlice } from "../checkout/slice.ts";
import { consoleSlice } from "../console/slice.ts";
import { incidentSlice } from "../incidents/slice.ts";
import { ledgerSlice } from "../ledger/slice.ts";
import { verifyPayments } from "../ledger/verify-payments.ts";
import { lendingSlice } from "../lending/slice.ts";
import { loanSlice } from "../loans/slice.ts";
import { merchantSlice } from "../merchants/slice.ts";
import { overviewSlice } from "../overview/slice.ts";
import type { Tx } from "../platform/database/database.ts";
import { withExamples } from "../platform/records/event-catalogue.ts";
import { platformSlice } from "../platform/slice.ts";
import { foldSlices, type House, runChecks, type Slice } from "../platform/slice-description.ts";
import { queueSlice } from "../queues/slice.ts";
import { railSlice } from "../rails/slice.ts";
import { reconciliationSlice } from "../reconciliation/slice.ts";
import { requestSlice } from "../requests/slice.ts";
import { sandboxSlice } from "../sandbox/slice.ts";
import { searchSlice } from "../search/slice.ts";
import { traceSlice } from "../traces/slice.ts";
import { transferSlice } from "../transfers/slice.ts";
import { verificationSlice } from "../verification/slice.ts";
import { walletSlice } from "../wallets/slice.ts";
import { webhookSlice } from "../webhooks/slice.ts";
import { eventExamples } from "./event-examples.gen.ts";
import type { RouteNeeds, WorkNeeds } from "./slice-needs.ts";

export type JaraSlice = Slice<RouteNeeds, WorkNeeds>;
export type JaraHouse = House<RouteNeeds, WorkNeeds>;

export const slices: readonly JaraSlice[] = [
  platformSlice,
  ledgerSlice,
  railSlice,
  lendingSlice,
  loanSlice,
  checkoutSlice,
  transferSlice,
  approvalSlice,
  billSlice,
  webhookSlice,
  archiveSlice,
  traceSlice,
  searchSlice,
  requestSlice,
  overviewSlice,
  walletSlice,
  reconciliationSlice,
  verificationSlice,
  queueSlice,
  incidentSlice,
  sandboxSlice,
  merchantSlice,
  authSlice,
  consoleSlice,
];

/** A test builds a house with one slice more. */
export function buildHouse(all: readonly JaraSlice[]): JaraHouse {
  const folded = foldSlices(all);
  const checks = [...folded.checks, (tx: Tx) => verifyPayments(tx, folded.payments)];
  return {
    ...folded,
    events: withExamples(folded.events, eventExamples),
    checks,
    verify: (tx) => runChecks(tx, checks),
  };
}

export const house = buildHouse(slices);
