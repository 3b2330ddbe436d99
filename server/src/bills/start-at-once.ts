/** A bill that goes from its acceptance straight to the sender of the same process. Its caller sees it as accepted. */
import type { ClaimedOrder, HandOver, Starting } from "../platform/work/hand-over.ts";
import type { Bill } from "./bill.ts";

/** For billers that know a bill by its own id. */
export function startingBills(desk: HandOver<ClaimedOrder<Bill>>): Starting<Bill> {
  return {
    desk,
    counterparty: ({ provider }) => provider,
    start: (bill) => ({ ...bill, status: "processing", version: bill.version + 1, requestId: bill.id }),
  };
}
