/**
 * The tasks of bills. In a frozen sandbox the agenda brings a bill to its first vend; everywhere it brings the next
 * question about one whose outcome the biller still owes. Both take the bill as far as it gets.
 */
import { sql } from "kysely";
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

export const billSweepSources: readonly SweepSource[] = [
  handedOver("waiting bills", sendTask, "pending"),
  handedOver("bills whose outcome is owed", requeryTask, "processing"),
];

function handedOver(name: string, kind: string, status: BillStatus): SweepSource {
  return recordsById(
    { name, kind },
    (after, atMost) => sql`
      select * from find_handed_over_bills(${status}, ${after.environmentId}::uuid, ${after.subject}::uuid, ${atMost})`,
  );
}
