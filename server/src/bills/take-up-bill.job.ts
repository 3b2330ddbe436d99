/**
 * The tasks of bills. In a frozen sandbox the agenda brings a bill to its first vend; everywhere it brings the next
 * question about one whose outcome the biller still owes. Both take the bill as far as it gets.
 */
import type { TaskKind } from "../platform/work/jobs.ts";
import type { SweepSource } from "../platform/work/sweeper.ts";
import { idleOrders } from "../rails/orders.ts";
import { takeUpTask } from "../rails/pursue-order.ts";
import { sendTask } from "./accept-bill.ts";
import { pursueBills, requeryTask, type SendDependencies } from "./bill-order.ts";

export const billTaskKinds = [sendTask, requeryTask] as const;

export function billTasks(deps: SendDependencies): [string, TaskKind][] {
  const task = takeUpTask(pursueBills(deps));
  return billTaskKinds.map((kind) => [kind, task]);
}

export const billSweepSources: readonly SweepSource[] = [
  idleOrders("bill", "waiting", sendTask),
  idleOrders("bill", "sent", requeryTask),
];
