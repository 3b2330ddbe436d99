import type { Slice } from "../platform/slice-description.ts";
import { reconciliationProblems } from "./errors.ts";
import { reconciliationLoops } from "./reconcile.job.ts";
import { reconciliationGauges } from "./reconciliation-gauges.ts";
import { type ReconciliationRouteDependencies, reconciliationRoutes } from "./routes.ts";
import type { RunDependencies } from "./run-reconciliation.ts";

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
