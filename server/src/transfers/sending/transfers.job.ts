/**
 * The worker's side of transfers: rounds over those that wait, and the tasks. In a frozen sandbox the agenda brings a
 * transfer to its first sending; everywhere it brings the next question about one whose outcome is still owed. Both
 * take it as far as it gets.
 */
import type { EnvironmentKind } from "../../platform/database/database.ts";
import type { TaskKind } from "../../platform/work/jobs.ts";
import type { ClaimedOrder, HandOver, Rounds } from "../../platform/work/rounds.ts";
import type { SweepSource } from "../../platform/work/sweeper.ts";
import { createSender } from "../../rails/order-queue.ts";
import { idleOrders } from "../../rails/orders.ts";
import { takeUpTask } from "../../rails/pursue-order.ts";
import { sendTask } from "../payouts/accept-transfer.ts";
import type { Transfer } from "../payouts/transfer.ts";
import { transferQueue } from "../payouts/transfer-store.ts";
import { pursueTransfers, requeryTask, type SendDependencies } from "./transfer-order.ts";

export interface SenderDependencies extends SendDependencies {
  /** Where transfers that are accepted in this process come in. */
  readonly sendingDesk: HandOver<ClaimedOrder<Transfer>>;
}

export function createTransferSender(deps: SenderDependencies, kind: EnvironmentKind): Rounds {
  const { db, log, rails, sendingDesk: handOver } = deps;
  const parts = { db, log, queue: transferQueue, pursuit: pursueTransfers(deps), desk: rails.bank, handOver };
  return createSender(parts, kind);
}

export const transferTaskKinds = [sendTask, requeryTask] as const;

export function transferTasks(deps: SendDependencies): [string, TaskKind][] {
  const task = takeUpTask(pursueTransfers(deps));
  return transferTaskKinds.map((kind) => [kind, task]);
}

export const transferSweepSources: readonly SweepSource[] = [
  idleOrders("transfer", "waiting", sendTask),
  idleOrders("transfer", "sent", requeryTask),
];
