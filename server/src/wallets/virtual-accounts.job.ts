/** The task of sub-accounts on their way, and what finds those that nothing will move. */
import type { TaskKind } from "../platform/work/jobs.ts";
import type { SweepSource } from "../platform/work/sweeper.ts";
import { idleOrders } from "../rails/orders.ts";
import { takeUpTask } from "../rails/pursue-order.ts";
import { type OpeningDependencies, pursueVirtualAccounts } from "./open-virtual-account.ts";
import { openAccountTask } from "./virtual-account.ts";

export function virtualAccountTasks(deps: OpeningDependencies): [string, TaskKind][] {
  return [[openAccountTask, takeUpTask(pursueVirtualAccounts(deps))]];
}

export const virtualAccountSweepSources: readonly SweepSource[] = [
  idleOrders("virtual_account", "waiting", openAccountTask),
  idleOrders("virtual_account", "sent", openAccountTask),
];
