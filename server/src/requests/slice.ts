import type { Database } from "../platform/database/database.ts";
import type { Slice } from "../platform/slice-description.ts";
import { every } from "../platform/work/background-loop.ts";
import { pruneLog } from "./prune-requests.job.ts";
import { requestTrace, searchedRequests } from "./request-store.ts";
import { type RequestRouteDependencies, requestRoutes } from "./routes.ts";

const pruneEveryMs = 60_000;

interface RequestWork {
  readonly db: Database;
  /** How long requests are kept; 0 turns the log off. */
  readonly requestLogDays: number;
}

export const requestSlice: Slice<RequestRouteDependencies, RequestWork> = {
  sections: [
    {
      name: "Requests",
      description:
        "What your keys asked of this API and what it returned, for a week unless the operator chose otherwise.",
    },
  ],
  scopes: ["requests"],
  lookupFunctions: {
    "record_requests(json)": "The requests of all environments that a process served are written down at once.",
    "read_request_positions(uuid[])": "One question serves everybody who waits at the feed of a process.",
    "prune_requests(timestamp with time zone,integer,integer)": "Retention ends everywhere.",
    "find_request_environments(text)": "An operator names a request by its id alone.",
  },
  traces: [requestTrace],
  searched: searchedRequests,
  routes: requestRoutes,
  loops: ({ db, requestLogDays: days }) => [
    { name: "request log", step: every(pruneEveryMs, () => pruneLog(db, { days })) },
  ],
};
