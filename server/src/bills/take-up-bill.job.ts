/**
 * The tasks of bills. In a frozen sandbox the agenda brings a bill to its first vend; everywhere it brings the next
 * question about one whose outcome the biller still owes. Both take the bill as far as it gets.
 */
import type { TaskKind } from "../platform/work/jobs.ts";
import { recordsById, type SweepSource } from "../platform/work/sweeper.ts";
import { takeUpTask } from "../rails/pursue-order.ts";
import { sendTask } from "./accept-bill.ts";
import type { BillStatus } from "./bill.ts";
import { pursueBills, requeryTask, type SendDependencies } from "./bill-order.ts";

export const billTaskKinds = [sendTask, requeryTask] as const;

export function billTasks(deps: SendDependencies): [string, TaskKind][] {
  const task = takeUpTask(pursueBills(deps));
  return billTaskKinds.map((kind) => [kind, task]);
}

const handedOver = "find_handed_over_bills";

export const billSweepSources: readonly SweepSource[] = [
  recordsById({ name: "waiting bills", kind: sendTask }, handedOver, "pending" satisfies BillStatus),
  recordsById(
    { name: "bills whose outcome is owed", kind: requeryTask },
    handedOver,
    "processing" satisfies BillStatus,
  ),
];
