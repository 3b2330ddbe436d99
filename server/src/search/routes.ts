import { hasScope } from "../platform/http/caller-scope.ts";
import { keyRoute, type Route } from "../platform/http/route.ts";
import type { SearchedKind } from "../platform/records/search.ts";
import { searchData, searchQuery } from "./schemas.ts";
import { searchAll } from "./search-all.ts";
import { searchDepth } from "./search-store.ts";

export interface SearchRouteDependencies {
  /** What can be found of all slices. */
  readonly searched: readonly SearchedKind[];
}

export function searchRoutes({ searched }: SearchRouteDependencies): Route[] {
  return [
    keyRoute({
      method: "GET",
      path: "/search",
      operationId: "search",
      tag: "Search",
      summary: "Find a record",
      description: `By what you have at hand. Ids, references, session ids and customers' telephones are found however old they are; account numbers, amounts, names and parts of references among the newest ${searchDepth.toLocaleString("en")} records of a kind. You see what the key's scopes may read.`,
      scope: "search:read",
      query: searchQuery,
      reply: { status: 200, message: "Search done", data: searchData },
      handle: ({ query: { q }, caller, read }) => {
        const allowed = searched.filter(({ scope }) => hasScope(caller, scope));
        return read(async (tx) => ({ data: await searchAll(tx, allowed, q) }));
      },
    }),
  ];
}
