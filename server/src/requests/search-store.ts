/** What can be found of requests: the one that a reply's X-Request-Id names. */
import { sql } from "kysely";
import type { SearchedKind } from "../platform/records/search.ts";

export const searchedRequests: readonly SearchedKind[] = [
  {
    kind: "request",
    table: "api_requests",
    scope: "requests:read",
    path: "/requests/{id}",
    nameColumn: "request_id",
    title: sql`t.request_id`,
    details: sql`array[t.method || ' ' || t.path, t.code]`,
    status: sql`t.status::text`,
    createdColumn: "at",
    indexed: [{ column: "request_id" }],
  },
];
