/**
 * The worker's side of bills: rounds over those that wait, and the tasks. In a frozen sandbox the agenda brings a
 * bill to its first sending; everywhere it brings the next question about one whose outcome is still owed. Both
 * take it as far as it gets.
 */
import type { EnvironmentKind } from "../../platform/database/database.ts";
import type { TaskKind } from "../../platform/work/jobs.ts";
import type { ClaimedOrder, HandOver, Rounds } from "../../platform/work/rounds.ts";
import type { SweepSource } from "../../platform/work/sweeper.ts";
import { createSender } from "../../rails/order-queue.ts";
import { idleOrders } from "../../rails/orders.ts";
import { takeUpTask } from "../../rails/pursue-order.ts";
import { sendTask } from "./accept-bill.ts";
import type { Bill } from "./bill.ts";
import { pursueBills, requeryTask, type SendDependencies } from "./bill-order.ts";
import { billQueue } from "./bill-store.ts";

export interface SenderDependencies extends SendDependencies {
  /** Where bills that are accepted in this process come in. */
  readonly vendingDesk: HandOver<ClaimedOrder<Bill>>;
}

export function createBillSender(deps: SenderDependencies, kind: EnvironmentKind): Rounds {
  const { db, log, rails, vendingDesk: handOver } = deps;
  const parts = { db, log, queue: billQueue, pursuit: pursueBills(deps), desk: rails.biller, handOver };
  return createSender(parts, kind);
}

export const billTaskKinds = [sendTask, requeryTask] as const;

export function billTasks(deps: SendDependencies): [string, TaskKind][] {
  const task = takeUpTask(pursueBills(deps));
  return billTaskKinds.map((kind) => [kind, task]);
}

export const billSweepSources: readonly SweepSource[] = [
  idleOrders("bill", "waiting", sendTask),
  idleOrders("bill", "sent", requeryTask),
];
