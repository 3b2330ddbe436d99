/**
 * The tasks of transfers. In a frozen sandbox the agenda brings a payout to its first sending; everywhere it brings
 * the next question about one whose outcome the bank still owes. Both take the transfer as far as it gets.
 */
import type { TaskKind } from "../platform/work/jobs.ts";
import type { SweepSource } from "../platform/work/sweeper.ts";
import { idleOrders } from "../rails/orders.ts";
import { takeUpTask } from "../rails/pursue-order.ts";
import { sendTask } from "./accept-transfer.ts";
import { pursueTransfers, requeryTask, type SendDependencies } from "./transfer-order.ts";

export const transferTaskKinds = [sendTask, requeryTask] as const;

export function transferTasks(deps: SendDependencies): [string, TaskKind][] {
  const task = takeUpTask(pursueTransfers(deps));
  return transferTaskKinds.map((kind) => [kind, task]);
}

export const transferSweepSources: readonly SweepSource[] = [
  idleOrders("transfer", "waiting", sendTask),
  idleOrders("transfer", "sent", requeryTask),
];
