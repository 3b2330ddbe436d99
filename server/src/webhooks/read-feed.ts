import { type Database, readEnvironment } from "../platform/database/database.ts";
import { eventProblem } from "./event-errors.ts";
import { type FeedPlace, feedEnd, feedStart, readCursor, writeCursor } from "./feed.ts";
import { readFrom, readNewestPlace } from "./feed-store.ts";
import type { FeedWatch } from "./feed-watch.ts";
import type { LoggedEvent } from "./present-event.ts";

export interface FeedQuestion {
  readonly environmentId: string;
  readonly after: string | undefined;
  readonly limit: number;
  readonly waitMs: number;
  readonly gone: AbortSignal;
}

export interface FeedPage {
  readonly events: readonly LoggedEvent[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** What came after the cursor; when nothing did, waits for it outside any transaction. */
export async function readFeed(db: Database, watch: FeedWatch, question: FeedQuestion): Promise<FeedPage> {
  const { environmentId, after, limit, waitMs, gone } = question;
  const place = await placeAfter(db, environmentId, after);
  if (place === undefined) throw eventProblem("feed_cursor_unknown");
  const page = await readPageAfter(db, environmentId, place, limit);
  if (page.events.length > 0 || waitMs === 0) return page;
  await watch.change(environmentId, place.position, { waitMs, gone });
  return gone.aborted ? page : readPageAfter(db, environmentId, place, limit);
}

async function placeAfter(
  db: Database,
  environmentId: string,
  after: string | undefined,
): Promise<FeedPlace | undefined> {
  if (after === undefined) return feedStart;
  if (after !== feedEnd) return readCursor(after);
  return (await readEnvironment(db, environmentId, readNewestPlace)) ?? feedStart;
}

async function readPageAfter(db: Database, environmentId: string, place: FeedPlace, limit: number): Promise<FeedPage> {
  const items = await readEnvironment(db, environmentId, (tx) => readFrom(tx, place.position, limit + 2));
  // The event at the cursor is read along: if it is not the one that the cursor names, the log started again since.
  if (place.eventId !== null && items[0]?.place.eventId !== place.eventId) throw eventProblem("feed_cursor_unknown");
  const fresh = place.eventId === null ? items : items.slice(1);
  const shown = fresh.slice(0, limit);
  return {
    events: shown.map(({ event }) => event),
    cursor: writeCursor(shown.at(-1)?.place ?? place),
    hasMore: fresh.length > limit,
  };
}
