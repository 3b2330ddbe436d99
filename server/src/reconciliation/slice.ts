import type { Slice } from "../platform/slice-description.ts";
import { type DomainLoop, every } from "../platform/work/background-loop.ts";
import { reconciliationProblems } from "./errors.ts";
import { planNight } from "./plan-night.ts";
import { reconciliationGauges } from "./reconciliation-gauges.ts";
import { type ReconciliationRouteDependencies, reconciliationRoutes } from "./routes.ts";
import { type RunDependencies, takeUpRun } from "./run-reconciliation.ts";

/** What a worker does: puts down the runs of the night, and takes up those that wait, one at a time. */
const idleMs = 1_000;
const planEveryMs = 60_000;

function reconciliationLoops(deps: RunDependencies): DomainLoop[] {
  return [
    { name: "nights of reconciliation", step: every(planEveryMs, () => planNight(deps)) },
    { name: "reconciliations", step: async () => ((await takeUpRun(deps)) ? 0 : idleMs) },
  ];
}

export const reconciliationSlice: Slice<ReconciliationRouteDependencies, RunDependencies> = {
  problems: reconciliationProblems,
  lookupFunctions: {
    "list_rail_traces(uuid,text,text[],text[],integer)":
      "A provider names payments of all environments by its own references.",
    "sum_booked_records(text,uuid[],uuid[])":
      "The orders of a connection are booked in the environments that made them.",
  },
  routes: reconciliationRoutes,
  loops: reconciliationLoops,
  gauges: reconciliationGauges,
};
