import { Type } from "typebox";
import type { Database } from "../platform/database/database.ts";
import { keyRoute, type Route } from "../platform/http/route.ts";
import { commonProblem } from "../platform/problem.ts";
import { createFeedWatch, type FeedWatch } from "../platform/records/feed-watch.ts";
import { pageOf } from "../platform/records/pagination.ts";
import { parseSpan } from "../platform/time/time-span.ts";
import { pageOfRequests, readRequestFeed, statusesOf } from "./read-requests.ts";
import { feedPath } from "./request-log.ts";
import { findRequests, readPositions } from "./request-store.ts";
import {
  presentRequest,
  requestData,
  requestFeedData,
  requestFeedQuery,
  requestParams,
  requestsQuery,
} from "./schemas.ts";

export interface RequestRouteDependencies {
  readonly db: Database;
}

const common = { tag: "Requests", scope: "requests:read" } as const;

export function requestRoutes({ db }: RequestRouteDependencies): Route[] {
  const watch = createFeedWatch({ readTotals: (environmentIds) => readPositions(db, environmentIds) });
  return [listRoute(), feedRoute(db, watch), readRoute()];
}

function listRoute(): Route {
  return keyRoute({
    ...common,
    method: "GET",
    path: "/requests",
    operationId: "listRequests",
    summary: "List requests",
    description: "What this environment's keys asked and what was returned, newest first.",
    query: requestsQuery,
    reply: { status: 200, message: "Requests retrieved", data: Type.Array(requestData), paged: true },
    handle: ({ query, read }) => {
      const { status, method = null, path = null } = query;
      const statuses = status === undefined ? null : statusesOf(status);
      return read(async (tx) => {
        const filter = { statuses, method, path, ...parseSpan(query) };
        const { rows, pagination } = await pageOfRequests(tx, filter, pageOf(query));
        return { data: rows.map(presentRequest), pagination };
      });
    },
  });
}

function readRoute(): Route {
  return keyRoute({
    ...common,
    method: "GET",
    path: "/requests/{id}",
    operationId: "getRequest",
    summary: "Get a request",
    description: "One request by the X-Request-Id of its reply; the newest, where you gave several the same name.",
    params: requestParams,
    reply: { status: 200, message: "Request retrieved", data: requestData },
    problems: ["not_found"],
    handle: ({ params, read }) =>
      read(async (tx) => {
        const [request] = await findRequests(tx, params.id);
        if (request === undefined) throw commonProblem("not_found");
        return { data: presentRequest(request) };
      }),
  });
}

function feedRoute(db: Database, watch: FeedWatch<bigint>): Route {
  return keyRoute({
    ...common,
    method: "GET",
    path: feedPath,
    operationId: "followRequests",
    summary: "Follow requests",
    description:
      "Requests in their order, oldest first, as they happen: a tenth of a second after the reply. With `wait` the reply comes as soon as there is one.",
    query: requestFeedQuery,
    reply: { status: 200, message: "Requests retrieved", data: requestFeedData },
    handle: async ({ caller: { environmentId, recheck }, query, gone }) => {
      const { after, wait = 0, limit = 100 } = query;
      const question = { environmentId, after, limit, waitMs: wait * 1000, gone: gone() };
      const { requests, cursor, hasMore } = await readRequestFeed(db, watch, question);
      // The wait may have outlasted the caller's rights.
      await recheck();
      return { data: { requests: requests.map(presentRequest), cursor, hasMore } };
    },
  });
}
