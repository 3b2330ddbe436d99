/**
 * The tasks of transfers. In a frozen sandbox the agenda brings a payout to its first sending; everywhere it brings
 * the next question about one whose outcome the bank still owes. Both take the transfer as far as it gets.
 */
import type { TaskKind } from "../platform/work/jobs.ts";
import { recordsById, type SweepSource } from "../platform/work/sweeper.ts";
import { takeUpTask } from "../rails/pursue-order.ts";
import { sendTask } from "./accept-transfer.ts";
import type { TransferStatus } from "./transfer.ts";
import { pursueTransfers, requeryTask, type SendDependencies } from "./transfer-order.ts";

export const transferTaskKinds = [sendTask, requeryTask] as const;

export function transferTasks(deps: SendDependencies): [string, TaskKind][] {
  const task = takeUpTask(pursueTransfers(deps));
  return transferTaskKinds.map((kind) => [kind, task]);
}

const handedOver = "find_handed_over_transfers";

export const transferSweepSources: readonly SweepSource[] = [
  recordsById({ name: "waiting transfers", kind: sendTask }, handedOver, "pending" satisfies TransferStatus),
  recordsById(
    { name: "transfers whose outcome is owed", kind: requeryTask },
    handedOver,
    "processing" satisfies TransferStatus,
  ),
];
