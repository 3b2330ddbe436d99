/** Lists, and a feed that waits for what comes next. */
import { type Database, readEnvironment, type Tx } from "../platform/database/database.ts";
import type { FeedWatch } from "../platform/records/feed-watch.ts";
import { type PageRequest, type Pagination, paginationOf } from "../platform/records/pagination.ts";
import {
  countRequests,
  type LoggedRequest,
  listRequests,
  type RequestFilter,
  readPositions,
  readRequestsAfter,
} from "./request-store.ts";

export async function pageOfRequests(
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

export interface FeedQuestion {
  readonly environmentId: string;
  readonly after: string | undefined;
  readonly limit: number;
  readonly waitMs: number;
  readonly gone: AbortSignal;
}

export interface RequestFeed {
  readonly requests: readonly LoggedRequest[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** What came after the cursor; when nothing did, waits for it outside any transaction. */
export async function readRequestFeed(
  db: Database,
  watch: FeedWatch<bigint>,
  question: FeedQuestion,
): Promise<RequestFeed> {
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
