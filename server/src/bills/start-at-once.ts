/** A bill that goes from its acceptance straight to the sender of the same process. Its caller sees it as accepted. */
import type { HandOver, Starting } from "../platform/work/hand-over.ts";
import type { Bill } from "./bill.ts";

export interface ClaimedBill {
  readonly environmentId: string;
  readonly bill: Bill;
  /** Whether its acceptance has just started it, so that it may be vended; one in the queue is begun or asked about. */
  readonly fresh: boolean;
}

/** Where bills that are accepted in this process go straight to its sender. */
export type VendingDesk = HandOver<ClaimedBill>;

/** For billers that know a bill by its own id. */
export function startingBills(desk: VendingDesk): Starting<Bill, ClaimedBill> {
  return {
    desk,
    counterparty: ({ provider }) => provider,
    start: (bill) => ({ ...bill, status: "processing", version: bill.version + 1, requestId: bill.id }),
    claimed: (environmentId, bill) => ({ environmentId, bill, fresh: true }),
  };
}
