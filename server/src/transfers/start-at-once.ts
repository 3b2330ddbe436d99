/** A payout that goes from its acceptance straight to the sender of the same process. Its caller sees it as accepted. */
import type { ClaimedOrder, HandOver, Starting } from "../platform/work/hand-over.ts";
import { sessionIdOf } from "./session-id.ts";
import type { Transfer } from "./transfer.ts";

/** The session is known from the beginning; a holder whose name is not has to be asked for. */
export function startingTransfers(desk: HandOver<ClaimedOrder<Transfer>>, senderCode: string): Starting<Transfer> {
  return {
    desk,
    counterparty: ({ bankCode }) => bankCode,
    start: (transfer) =>
      transfer.accountName === null
        ? null
        : {
            ...transfer,
            status: "processing",
            version: transfer.version + 1,
            sessionId: sessionIdOf(transfer, senderCode),
          },
  };
}
