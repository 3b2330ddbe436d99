import { Type } from "typebox";
import { type Database, readEnvironment, type Tx } from "../platform/database/database.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { commonProblem } from "../platform/problem.ts";
import { createFeedWatch, type FeedWatch } from "../platform/records/feed-watch.ts";
import { type PageRequest, type Pagination, pageOf, paginationOf } from "../platform/records/pagination.ts";
import { parseSpan } from "../platform/time/time-span.ts";
import { feedPath } from "./request-log.ts";
import {
  countRequests,
  findRequests,
  type LoggedRequest,
  listRequests,
  type RequestFilter,
  readPositions,
  readRequestsAfter,
} from "./request-store.ts";
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
  return describeRoute("key", {
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
  return describeRoute("key", {
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
  return describeRoute("key", {
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

/** Lists, and a feed that waits for what comes next. */
async function pageOfRequests(
  tx: Tx,
  filter: RequestFilter,
  { page, limit }: PageRequest,
): Promise<{ rows: LoggedRequest[]; pagination: Pagination }> {
  const total = await countRequests(tx, filter);
  const skip = BigInt(page - 1) * BigInt(limit);
  const rows = skip >= total ? [] : await listRequests(tx, filter, { skip, limit });
  return { rows, pagination: paginationOf(total, page, limit) };
}

/** 4xx is 400 to 499. */
export function statusesOf(word: string): readonly [number, number] {
  const first = Number(word.replace("xx", "00"));
  return word.endsWith("xx") ? [first, first + 99] : [first, first];
}

interface FeedQuestion {
  readonly environmentId: string;
  readonly after: string | undefined;
  readonly limit: number;
  readonly waitMs: number;
  readonly gone: AbortSignal;
}

interface RequestFeed {
  readonly requests: readonly LoggedRequest[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** What came after the cursor; when nothing did, waits for it outside any transaction. */
async function readRequestFeed(db: Database, watch: FeedWatch<bigint>, question: FeedQuestion): Promise<RequestFeed> {
  const { environmentId, after = "0", limit, waitMs, gone } = question;
  const newest = async () => (await readPositions(db, [environmentId])).get(environmentId) ?? 0n;
  const position = after === "latest" ? await newest() : BigInt(after);
  const read = async (): Promise<RequestFeed> => {
    const found = await readEnvironment(db, environmentId, (tx) => readRequestsAfter(tx, position, limit + 1));
    const requests = found.slice(0, limit);
    return { requests, cursor: String(requests.at(-1)?.position ?? position), hasMore: found.length > limit };
  };
  const page = await read();
  if (page.requests.length > 0 || waitMs === 0) return page;
  // A line that came since that reading is ahead of the cursor. What is pruned or reset leaves the newest below it.
  const last = await newest();
  if (last <= position) await watch.change(environmentId, (total) => last === (total ?? 0n), { waitMs, gone });
  return gone.aborted ? page : read();
}
