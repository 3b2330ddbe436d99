/**
 * The steps of a transfer between acceptance and its end, each taken for many transfers of an environment at a time: a
 * bulk of thousands costs few transactions, and environments take turns at them.
 */
import { plainStep } from "../ledger/command.ts";
import type { WaitingOrders } from "../rails/order.ts";
import { waitForRail } from "../rails/wait-for-rail.ts";
import { sendTask } from "./accept-transfer.ts";
import { sessionIdOf } from "./session-id.ts";
import { startSending } from "./settle-store.ts";
import type { Transfer } from "./transfer.ts";

/** How long a waiting payout whose bank cannot name the holder is tried, and how often. Nothing was sent by then. */
const retryNameMs = 30_000;
const giveUpNameAfterMs = 15 * 60_000;

export interface StartCommand {
  readonly transfer: Transfer;
  readonly accountName: string;
  readonly senderCode: string;
  /** Which connection takes it to the bank; null for the simulated one. */
  readonly connectionId: string | null;
}

/** The bank has named the holder: the session id is committed. Null when the transfer no longer waits. */
export const startTransfer = plainStep<StartCommand, Transfer | null>("transfers.start", async (tx, commands) => {
  const starts = commands.map(({ transfer, senderCode, ...start }) => {
    return { id: transfer.id, sessionId: sessionIdOf(transfer, senderCode), ...start };
  });
  const started = await startSending(tx, starts);
  return starts.map(({ id }) => {
    const transfer = started.get(id) ?? null;
    // Of two that start the same transfer in one batch, the first one did.
    started.delete(id);
    return transfer;
  });
});

const waitingTransfers: WaitingOrders = { table: "transfers", task: sendTask };

/** The bank could not be asked: a waiting transfer is left for later. False when it has waited long enough. */
export const putOffTransfer = plainStep<Transfer, boolean>("transfers.put_off", async (tx, transfers) => {
  const now = tx.environment.clock.now().getTime();
  const isPatient = (transfer: Transfer): boolean => now - transfer.createdAt.getTime() < giveUpNameAfterMs;
  await waitForRail(tx, waitingTransfers, transfers.filter(isPatient), () => retryNameMs);
  return transfers.map(isPatient);
});

/** No rail takes it now: a waiting transfer is left for later, however long that is. */
export const waitForBank = plainStep<Transfer, null>("transfers.wait_for_bank", async (tx, transfers) => {
  await waitForRail(tx, waitingTransfers, transfers);
  return transfers.map(() => null);
});
