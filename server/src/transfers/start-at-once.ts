/** A payout that goes from its acceptance straight to the sender of the same process. Its caller sees it as accepted. */
import type { HandOver, Starting } from "../platform/work/hand-over.ts";
import { sessionIdOf } from "./session-id.ts";
import type { Transfer } from "./transfer.ts";

export interface ClaimedTransfer {
  readonly environmentId: string;
  readonly transfer: Transfer;
  /** Whether its acceptance has just started it, so that it may be sent; one in the queue is begun or asked about. */
  readonly fresh: boolean;
}

/** Where payouts that are accepted in this process go straight to its sender. */
export type SendingDesk = HandOver<ClaimedTransfer>;

/** The session is known from the beginning; a holder whose name is not has to be asked for. */
export function startingTransfers(desk: SendingDesk, senderCode: string): Starting<Transfer, ClaimedTransfer> {
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
    claimed: (environmentId, transfer) => ({ environmentId, transfer, fresh: true }),
  };
}
