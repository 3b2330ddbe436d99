/**
 * The tasks of transfers. In a frozen sandbox the agenda brings a payout to its first sending; everywhere it brings
 * the next question about one whose outcome the bank still owes. Both take the transfer as far as it gets.
 */
import { sql } from "kysely";
import { createKnownKinds } from "../merchants/known-kinds.ts";
import type { TaskKind } from "../platform/work/jobs.ts";
import { recordsById, type SweepSource } from "../platform/work/sweeper.ts";
import { sendTask } from "./accept-transfer.ts";
import { type SendDependencies, takeUp } from "./send-transfer.ts";
import { requeryTask } from "./sending-steps.ts";
import type { TransferStatus } from "./transfer.ts";

export const transferTaskKinds = [sendTask, requeryTask] as const;

export function transferTasks(deps: SendDependencies): [string, TaskKind][] {
  const kindOf = createKnownKinds(deps.db);
  const task: TaskKind = {
    pace: "slow",
    handle: async ({ environmentId, subject }) =>
      takeUp(deps, { environmentId, environment: await kindOf(environmentId), id: subject }),
  };
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
