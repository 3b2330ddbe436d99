import { type Database, readEnvironment, type Tx } from "../../platform/database/database.ts";
import type { Problem } from "../../platform/problem.ts";
import { type EventFloor, readEventFloor } from "../../platform/records/event-floor.ts";
import type { FeedWatch } from "../../platform/records/feed-watch.ts";
import { eventProblem } from "./event-errors.ts";
import {
  areLastAt,
  type FeedItem,
  type FeedPlace,
  type FeedTotals,
  feedEnd,
  mergeResends,
  readCursor,
  writeCursor,
} from "./feed.ts";
import { readFrom, readNewestPlace, readResendBefore, readResendsFrom } from "./feed-store.ts";
import type { LoggedEvent } from "./present-event.ts";

export interface FeedQuestion {
  readonly environmentId: string;
  readonly after: string | undefined;
  readonly withResends: boolean;
  readonly limit: number;
  readonly waitMs: number;
  readonly gone: AbortSignal;
}

export interface FeedPage {
  readonly items: readonly FeedItem<LoggedEvent>[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** What came after the cursor; when nothing did, waits for it outside any transaction. */
export async function readFeed(db: Database, watch: FeedWatch<FeedTotals>, question: FeedQuestion): Promise<FeedPage> {
  const { environmentId, limit, waitMs, gone } = question;
  const place = await readEnvironment(db, environmentId, (tx) => placeAfter(tx, question));
  const readPage = () => readEnvironment(db, environmentId, (tx) => readPageAfter(tx, place, limit));
  const page = await readPage();
  if (page.items.length > 0 || waitMs === 0) return page;
  await watch.change(environmentId, areLastAt(place), { waitMs, gone });
  return gone.aborted ? page : readPage();
}

/** Throws feed_cursor_unknown. Without a cursor a reader begins at the floor. With a place among the resends only if they were asked for. */
async function placeAfter(tx: Tx, { after, withResends }: FeedQuestion): Promise<FeedPlace> {
  const found = await readPlace(tx, after);
  if (found === undefined) throw eventProblem("feed_cursor_unknown");
  const { resend, ...plain } = found;
  return withResends ? { ...plain, resend: resend ?? (await readResendBefore(tx, plain.position)) } : plain;
}

async function readPlace(tx: Tx, after: string | undefined): Promise<FeedPlace | undefined> {
  if (after !== undefined && after !== feedEnd) return readCursor(after);
  const newest = after === feedEnd ? await readNewestPlace(tx) : undefined;
  const floor = await readEventFloor(tx);
  if (newest !== undefined && newest.position > floor.position) return newest;
  return placeOf(floor);
}

async function readPageAfter(tx: Tx, place: FeedPlace, limit: number): Promise<FeedPage> {
  const fresh = await readItemsAfter(tx, place, limit + 1);
  const items = fresh.slice(0, limit);
  return { items, cursor: writeCursor(items.at(-1)?.place ?? place), hasMore: fresh.length > limit };
}

/**
 * What stands at the cursor is read along: if it is not what the cursor names, the log started again since. Resends are
 * read before events, so that every event is there after which one of them comes.
 */
async function readItemsAfter(tx: Tx, place: FeedPlace, limit: number): Promise<FeedItem<LoggedEvent>[]> {
  const { position, eventId, resend } = place;
  const resends = resend === undefined ? [] : await readResendsFrom(tx, resend, limit + 1);
  const events = await readFrom(tx, position, limit + 1);
  // After the events: where the floor is not above the place by then, all that came after it was there.
  const floor = await readEventFloor(tx);
  if (position < floor.position) throw archivedAfter(floor, placeOf(floor, resend));
  const standsThere = position === floor.position ? floor.eventId : events[0]?.id;
  if (eventId !== null && standsThere !== eventId) throw eventProblem("feed_cursor_unknown");
  const fresh = events.filter((event) => event.position > position);
  if (resend === undefined) {
    return fresh.map(({ position, id, event }) => ({ place: { position, eventId: id }, event, resentAt: null }));
  }
  if (resend > 0n && resends[0]?.position !== resend) throw eventProblem("feed_cursor_unknown");
  const again = resend > 0n ? resends.slice(1) : resends;
  const gone = again.find(({ event }) => event === undefined);
  const items = mergeResends(
    { ...place, resend },
    gone === undefined ? fresh : fresh.filter((event) => event.position <= gone.afterEvent),
    again.flatMap((one) =>
      one.event && (!gone || one.position < gone.position) ? [{ ...one, event: one.event }] : [],
    ),
  );
  // The reader was away for so long that an event went which had been sent again meanwhile.
  if (gone !== undefined && items.length === 0) throw archivedAfter(floor, { ...place, resend: gone.position });
  return items;
}

const placeOf = ({ position, eventId }: EventFloor, resend?: bigint): FeedPlace => ({ position, eventId, resend });

function archivedAfter({ until }: EventFloor, place: FeedPlace): Problem {
  const data = { cursor: writeCursor(place), archivedUntil: until?.toISOString() };
  return eventProblem("feed_cursor_archived", { data });
}
