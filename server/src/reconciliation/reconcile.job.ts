/** What a worker does: puts down the runs of the night, and takes up those that wait, one at a time. */
import { type DomainLoop, every } from "../platform/work/background-loop.ts";
import { planNight } from "./plan-night.ts";
import { type RunDependencies, takeUpRun } from "./run-reconciliation.ts";

const idleMs = 1_000;
const planEveryMs = 60_000;

export function reconciliationLoops(deps: RunDependencies): DomainLoop[] {
  return [
    { name: "nights of reconciliation", step: every(planEveryMs, () => planNight(deps)) },
    { name: "reconciliations", step: async () => ((await takeUpRun(deps)) ? 0 : idleMs) },
  ];
}
