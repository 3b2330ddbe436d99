/**
 * The tasks of transfers. In a frozen sandbox the agenda brings a payout to its first sending; everywhere it brings
 * the next question about one whose outcome the bank still owes. Both take the transfer as far as it gets.
 */
import { sql } from "kysely";
import { findEnvironment } from "../merchants/find-environment.ts";
import { type Database, inEnvironment } from "../platform/database.ts";
import type { TaskKind } from "../platform/jobs.ts";
import type { SweepSource, SweptRecord } from "../platform/sweeper.ts";
import type { EnvironmentKind } from "../rails/registry.ts";
import { sendTask } from "./accept-transfer.ts";
import { requeryTask, type SendDependencies, takeUp } from "./send-transfer.ts";
import type { TransferStatus } from "./transfer.ts";

export const transferTaskKinds = [sendTask, requeryTask] as const;

export function transferTasks(deps: SendDependencies): [string, TaskKind][] {
  const kinds = new Map<string, EnvironmentKind>();
  const kindOf = async (environmentId: string): Promise<EnvironmentKind> => {
    const known = kinds.get(environmentId);
    if (known !== undefined) return known;
    const { kind } = await inEnvironment(deps.db, environmentId, (tx) => findEnvironment(tx, environmentId), {
      readOnly: true,
    });
    kinds.set(environmentId, kind);
    return kind;
  };
  const task: TaskKind = {
    pace: "slow",
    handle: async ({ environmentId, subject }) =>
      takeUp(deps, { environmentId, environment: await kindOf(environmentId), id: subject }),
  };
  return transferTaskKinds.map((kind) => [kind, task]);
}

export const transferSweepSources: readonly SweepSource[] = [
  sweepSource("waiting transfers", sendTask, "pending"),
  sweepSource("transfers whose outcome is owed", requeryTask, "processing"),
];

const lowest = "00000000-0000-0000-0000-000000000000";

function sweepSource(name: string, kind: string, status: TransferStatus): SweepSource {
  return {
    name,
    kind,
    find: async (db: Database, after: SweptRecord | undefined, atMost: number) => {
      const found = await sql<{ environment_id: string; id: string }>`
        select * from find_handed_over_transfers(${status}, ${after?.environmentId ?? lowest}::uuid,
          ${after?.subject ?? lowest}::uuid, ${atMost})`.execute(db);
      return found.rows.map((row) => ({ environmentId: row.environment_id, subject: row.id }));
    },
  };
}
