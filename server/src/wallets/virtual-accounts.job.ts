/** The task of sub-accounts on their way, and what finds those that nothing will move. */
import type { TaskKind } from "../platform/work/jobs.ts";
import { recordsById, type SweepSource } from "../platform/work/sweeper.ts";
import { takeUpTask } from "../rails/pursue-order.ts";
import { type OpeningDependencies, pursueVirtualAccounts } from "./open-virtual-account.ts";
import { openAccountTask } from "./virtual-account.ts";

export function virtualAccountTasks(deps: OpeningDependencies): [string, TaskKind][] {
  return [[openAccountTask, takeUpTask(pursueVirtualAccounts(deps))]];
}

export const virtualAccountSweepSources: readonly SweepSource[] = [
  recordsById({ name: "sub-accounts on their way", kind: openAccountTask }, "find_open_virtual_accounts"),
];
