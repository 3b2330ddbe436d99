import { type Static, Type } from "typebox";
import { type Database, readEnvironment, type Tx } from "../platform/database/database.ts";
import { named } from "../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { commonProblem } from "../platform/problem.ts";
import { createFeedWatch, type FeedWatch } from "../platform/records/feed-watch.ts";
import { type PageRequest, type Pagination, pageOf, pageQuery, paginationOf } from "../platform/records/pagination.ts";
import { parseSpan, spanFields } from "../platform/time/time-span.ts";
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

const filterFields = {
  status: Type.Optional(
    Type.String({
      pattern: "^([1-5]\\d\\d|[1-5]xx)$",
      description: "Only replies with this status, or of this kind: `422`, `4xx`.",
      examples: ["4xx"],
    }),
  ),
  method: Type.Optional(OneOf(["GET", "POST", "PUT", "PATCH", "DELETE"], { description: "Only this method." })),
  path: Type.Optional(
    Type.String({ maxLength: 200, description: "Only paths that begin so.", examples: ["/transfers"] }),
  ),
};

export const requestsQuery = Type.Object({ ...filterFields, ...spanFields, ...pageQuery.properties });

const body = (whose: string) =>
  Nullable(
    Type.String({
      description: `${whose}, with secrets and personal data masked, at most 4 KiB. Sandboxes only, and not while many requests come at once.`,
      examples: ['{"amount":2500}'],
    }),
  );

export const requestData = named(
  "LoggedRequest",
  Type.Object({
    id: Type.String({ description: "The X-Request-Id of the reply.", examples: ["req_8Zk2mQ0xLw1"] }),
    at: Type.String({ ...Timestamp, description: "When it came, in real time." }),
    method: Type.String({ examples: ["POST"] }),
    route: Type.String({ description: "The path as the reference writes it.", examples: ["/transfers"] }),
    path: Type.String({ examples: ["/transfers"] }),
    status: Type.Integer({ examples: [201] }),
    code: Nullable(Type.String({ description: "Of a refusal.", examples: [null] })),
    durationMs: Type.Integer({ examples: [12] }),
    keyId: Uuid,
    keyPrefix: Nullable(Type.String({ examples: ["sk_test_1a2b"] })),
    idempotencyKey: Nullable(Type.String({ description: "The header of that name.", examples: ["order-1042"] })),
    userAgent: Nullable(Type.String({ description: "The header of that name.", examples: ["jara-sdk/0.3.0"] })),
    warning: Nullable(Type.String({ description: "The Jara-Warning of the reply.", examples: [null] })),
    replayed: Type.Boolean({ description: "The reply of an earlier request was sent again." }),
    recordId: Nullable(Type.String({ ...Uuid, description: "What a write made or changed: trace it." })),
    requestBody: body("What was sent"),
    responseBody: body("What was returned"),
  }),
);

export function presentRequest(logged: LoggedRequest): Static<typeof requestData> {
  const { requestId, at, clockAt: _, position: __, ...rest } = logged;
  return { id: requestId, at: at.toISOString(), ...rest };
}

export const requestParams = Type.Object({
  id: Type.String({
    pattern: "^[\\w.:-]{1,128}$",
    description: "The X-Request-Id of the reply.",
    examples: ["req_8Zk2mQ0xLw1"],
  }),
});

const cursor = { pattern: "^(latest|\\d{1,18})$", examples: ["4711"] };

export const requestFeedQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      ...cursor,
      description:
        "The cursor of the last reply, or `latest`. Without it the feed begins with the oldest that is kept.",
    }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: "How many seconds to wait for the next.",
      examples: [20],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 100, description: "How many requests a reply holds at most." }),
  ),
});

const requestFeedData = named(
  "RequestFeed",
  Type.Object({
    requests: Type.Array(requestData),
    cursor: Type.String({ ...cursor, description: "Send it as `after` next time." }),
    hasMore: Type.Boolean({ description: "More are waiting: ask again at once." }),
  }),
);
