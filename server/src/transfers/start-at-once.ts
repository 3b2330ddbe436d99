/**
 * A payout that the worker of the same process has room for is written as claimed and under way: one row version, one
 * commit and one look at the queue fewer. The caller sees it as it was accepted. Should the process end before the
 * payout is sent, it is a payout that may have been sent: its lease runs out, and the bank is asked.
 */
import { afterCommit, type Tx } from "../platform/database/database.ts";
import type { HandOver } from "../platform/work/hand-over.ts";
import { sessionIdOf } from "./session-id.ts";
import type { Transfer } from "./transfer.ts";

export interface ClaimedTransfer {
  readonly environmentId: string;
  readonly transfer: Transfer;
  /** Whether this claim took it to `processing`, so that it may be sent; anything else must be asked about first. */
  readonly fresh: boolean;
}

/** Where payouts that are accepted in this process go straight to its sender. */
export type SendingDesk = HandOver<ClaimedTransfer>;

export interface StartAtOnce {
  /** For the session. */
  readonly senderCode: string;
  readonly desk: SendingDesk;
}

/** The payouts as they are to be written. Those that start do so when the transaction is committed. */
export function startAtOnce(tx: Tx, { senderCode, desk }: StartAtOnce, accepted: readonly Transfer[]): Transfer[] {
  const { id: environmentId, kind } = tx.environment;
  const room = new Map<string, number>();
  const written = accepted.map((transfer) => {
    const { bankCode, accountName } = transfer;
    const left = room.get(bankCode) ?? desk.room(kind, { environmentId, counterparty: bankCode });
    if (left < 1 || accountName === null) return transfer;
    room.set(bankCode, left - 1);
    const sessionId = sessionIdOf(transfer, senderCode);
    return { ...transfer, status: "processing" as const, version: transfer.version + 1, sessionId };
  });
  const started = written.filter(({ status }) => status === "processing");
  if (started.length > 0) {
    const claimed = started.map((transfer) => ({ environmentId, transfer, fresh: true }));
    afterCommit(tx, () => desk.start(kind, claimed));
  }
  return written;
}
