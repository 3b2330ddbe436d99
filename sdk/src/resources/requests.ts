import type { FollowRequestsQuery, ListRequestsQuery, LoggedRequest, RequestFeed } from "../api.gen.ts";
import type { Caller } from "../calling/caller.ts";
import type { List } from "../calling/list.ts";
import type { CallOptions } from "../calling/settings.ts";

/** What your keys asked, and what was returned. */
export function requests({ call, list }: Pick<Caller, "call" | "list">) {
  return {
    list: (query: ListRequestsQuery = {}, options?: CallOptions): List<LoggedRequest> =>
      list("GET /requests", { query }, options),
    /** By the X-Request-Id of the reply. */
    get: (id: string, options?: CallOptions): Promise<LoggedRequest> =>
      call("GET /requests/{id}", { path: { id } }, options),
    /** One reply of the feed: send its `cursor` as `after` next time. */
    readFeed: (query: FollowRequestsQuery = {}, options?: CallOptions): Promise<RequestFeed> =>
      call("GET /requests/feed", { query }, options),
  };
}
