/**
 * The tasks of transfers. In a frozen sandbox the agenda brings a payout to its first sending; everywhere it brings
 * the next question about one whose outcome the bank still owes. Both take the transfer as far as it gets.
 */
import { sql } from "kysely";
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

export const transferSweepSources: readonly SweepSource[] = [
  handedOver("waiting transfers", sendTask, "pending"),
  handedOver("transfers whose outcome is owed", requeryTask, "processing"),
];

function handedOver(name: string, kind: string, status: TransferStatus): SweepSource {
  return recordsById(
    { name, kind },
    (after, atMost) => sql`
      select * from find_handed_over_transfers(
        ${status}, ${after.environmentId}::uuid, ${after.subject}::uuid, ${atMost})`,
  );
}
