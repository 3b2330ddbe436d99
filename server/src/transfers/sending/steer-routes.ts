/** Ending payouts by hand: in a sandbox by its developer, anywhere by an operator with evidence. */
import type { Route } from "../../platform/http/route.ts";
import type { PaymentOrder } from "../../rails/bank.ts";
import type { ConnectionBook } from "../../rails/connections/connection-book.ts";
import { orderViewRoute } from "../../rails/connections/order-view.ts";
import { resolveRoute, sandboxSteerRoutes } from "../../rails/steer-by-hand.ts";
import { presentTransfer } from "../payouts/present-transfer.ts";
import { transferData } from "../payouts/schemas.ts";
import { findPayout } from "../payouts/transfer-store.ts";
import type { DisbursementSettled } from "./settle-transfer.ts";
import { reversedByBank, transferSteering } from "./steer-transfer.ts";
import { orderOf } from "./transfer-order.ts";

const described = {
  collection: "transfers",
  notFound: "transfer_not_found",
  data: transferData,
  present: presentTransfer,
} as const;

export interface TransferSandboxDependencies {
  /** Puts the payment into the bank's books as decided; false when it has gone another way there. */
  decidePayment(order: PaymentOrder, to: "paid" | "refused" | "reversed"): Promise<boolean>;
}

const ways = {
  complete: {
    to: "completed",
    bank: "paid",
    failure: null,
    summary: "Complete a payout",
    description: "The bank pays a payout that is in processing, such as one whose reference ends with _PENDING.",
  },
  fail: {
    to: "failed",
    bank: "refused",
    failure: { code: "nip_05", message: "The bank does not honour this payment" },
    summary: "Fail a payout",
    description: "The bank refuses a payout that is not final yet. Amount and fees come back.",
  },
  reverse: {
    to: "reversed",
    bank: "reversed",
    failure: reversedByBank,
    summary: "Reverse a payout",
    description: "The bank returns a completed payout. Amount and fees come back.",
  },
} as const;

/** A developer ends payouts only: disbursements are the lender's. */
export function transferSandboxRoutes(deps: TransferSandboxDependencies): Route[] {
  return sandboxSteerRoutes(
    { ...described, kind: { ...transferSteering(), find: findPayout } },
    {
      ways,
      tellRail: async (key, transfer, { to, bank, failure }) => {
        // The bank has not heard of a payout that is still pending.
        const isTold = transfer.sessionId === null || (await deps.decidePayment(orderOf(key, transfer), bank));
        return isTold ? { to, failure } : null;
      },
    },
  );
}

export interface TransferOperatorDependencies {
  readonly connections: Pick<ConnectionBook, "find">;
  /** Takes the outcomes of disbursements. */
  readonly disbursementSettled?: DisbursementSettled;
}

const notPaid = {
  code: "resolved_by_operator",
  message: "The bank has established that the payment was not made. Amount and fees are back in the wallet.",
};

export function transferOperatorRoutes({ disbursementSettled, connections }: TransferOperatorDependencies): Route[] {
  const record = { ...described, kind: transferSteering(disbursementSettled) };
  const resolve = resolveRoute(record, {
    summary: "End a payout by hand",
    description:
      "For a payout in processing whose outcome the bank has told you in another way. completed books it as paid; failed gives amount and fees back to the wallet. Either is final and is written into the audit trail with its evidence.",
    example: "Settlement report of 3 November, line 412: returned",
    rail: "the bank",
    fields: {},
    step: ({ outcome }) => ({ to: outcome, failure: outcome === "failed" ? notPaid : null }),
    audited: ({ sessionId }) => ({ sessionId }),
  });
  const view = orderViewRoute({ connections }, record, { port: "bank", railIdOf: ({ sessionId }) => sessionId });
  return [view, resolve];
}
