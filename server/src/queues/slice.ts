import type { Slice } from "../platform/slice-description.ts";
import { queueGauges } from "./queue-gauges.ts";
import { type QueueRouteDependencies, queueRoutes } from "./routes.ts";
import { type IncidentDependencies, incidentLoop } from "./watch-incidents.job.ts";

export const queueSlice: Slice<QueueRouteDependencies, IncidentDependencies> = {
  lookupFunctions: {
    "read_queues(integer)": "An operator sees how much work waits in all environments.",
    "count_misdated_work(integer)": "An operator sees what was booked too far ahead in all environments.",
    "list_decisions(integer,text,text)": "An operator sees what waits for a decision in all environments.",
  },
  routes: queueRoutes,
  loops: (needs) => [incidentLoop(needs)],
  gauges: queueGauges,
};
