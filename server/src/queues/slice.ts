import type { Database } from "../platform/database/database.ts";
import type { Slice } from "../platform/slice-description.ts";
import { queueGauges } from "./queue-gauges.ts";
import { queueRoutes } from "./routes.ts";

export const queueSlice: Slice<unknown, { readonly db: Database }> = {
  lookupFunctions: {
    "read_queues(integer)": "An operator sees how much work waits in all environments.",
    "list_decisions(integer,text,text)": "An operator sees what waits for a decision in all environments.",
  },
  routes: queueRoutes,
  gauges: queueGauges,
};
