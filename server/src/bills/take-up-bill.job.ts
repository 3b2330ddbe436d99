/**
 * The tasks of bills. In a frozen sandbox the agenda brings a bill to its first vend; everywhere it brings the next
 * question about one whose outcome the biller still owes. Both take the bill as far as it gets.
 */
import { sql } from "kysely";
import { createKnownKinds } from "../merchants/known-kinds.ts";
import type { Database } from "../platform/database.ts";
import type { TaskKind } from "../platform/jobs.ts";
import type { SweepSource, SweptRecord } from "../platform/sweeper.ts";
import { sendTask } from "./accept-bill.ts";
import type { BillStatus } from "./bill.ts";
import { requeryTask, type SendDependencies, takeUp } from "./send-bill.ts";

export const billTaskKinds = [sendTask, requeryTask] as const;

export function billTasks(deps: SendDependencies): [string, TaskKind][] {
  const kindOf = createKnownKinds(deps.db);
  const task: TaskKind = {
    pace: "slow",
    handle: async ({ environmentId, subject }) =>
      takeUp(deps, { environmentId, environment: await kindOf(environmentId), id: subject }),
  };
  return billTaskKinds.map((kind) => [kind, task]);
}

export const billSweepSources: readonly SweepSource[] = [
  sweepSource("waiting bills", sendTask, "pending"),
  sweepSource("bills whose outcome is owed", requeryTask, "processing"),
];

const lowest = "00000000-0000-0000-0000-000000000000";

function sweepSource(name: string, kind: string, status: BillStatus): SweepSource {
  return {
    name,
    kind,
    find: async (db: Database, after: SweptRecord | undefined, atMost: number) => {
      const found = await sql<{ environment_id: string; id: string }>`
        select * from find_handed_over_bills(${status}, ${after?.environmentId ?? lowest}::uuid,
          ${after?.subject ?? lowest}::uuid, ${atMost})`.execute(db);
      return found.rows.map((row) => ({ environmentId: row.environment_id, subject: row.id }));
    },
  };
}
