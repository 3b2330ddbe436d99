/** What a worker does: takes up the runs that wait, one at a time. */
import { type RunDependencies, takeUpRun } from "./run-reconciliation.ts";

const idleMs = 1_000;

/** Returns how long to rest before the next round. */
export async function reconcile(deps: RunDependencies): Promise<number> {
  return (await takeUpRun(deps)) ? 0 : idleMs;
}
