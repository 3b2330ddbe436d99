/**
 * The feed as server-sent events: each event as it is numbered, under its cursor. A reader that comes back names the
 * last id it has seen (browsers do so by themselves) and goes on behind it: nothing is lost and nothing comes twice.
 *
 * A stream ends after some minutes, so that a key that was revoked meanwhile reads no further. The reader resumes. A
 * person at the console is looked for again before each page, and every second: one who was removed, or signed out,
 * reads nothing more.
 */
import type { Database, EnvironmentKind } from "../platform/database/database.ts";
import { Problem } from "../platform/problem.ts";
import type { FeedWatch } from "../platform/records/feed-watch.ts";
import { type FeedTotals, writeCursor } from "./feed.ts";
import { presentEvent } from "./present-event.ts";
import { type FeedPage, type FeedQuestion, readFeed } from "./read-feed.ts";

interface StreamLimits {
  /** Proxies cut connections on which nothing moves for a minute, or less. */
  readonly heartbeatMs: number;
  readonly longestMs: number;
}

const streamLimits: StreamLimits = { heartbeatMs: 15_000, longestMs: 5 * 60_000 };
const lookAgainMs = 1_000;

export interface StreamQuestion {
  readonly environmentId: string;
  readonly kind: EnvironmentKind;
  /** Only events of this name. */
  readonly event: string | undefined;
  readonly gone: AbortSignal;
  /** Whether the reader may still read; asked of people. */
  readonly isStillHere?: (() => Promise<boolean>) | undefined;
  /** What came after the place that the reader named, read before the first byte went out. */
  readonly first: FeedPage;
}

export interface StreamDependencies {
  readonly db: Database;
  readonly watch: FeedWatch<FeedTotals>;
}

/** How long a browser waits before it comes back. */
const retryMs = 1_000;

export async function* streamFeed(
  deps: StreamDependencies,
  { first, kind, event, gone, isStillHere, environmentId }: StreamQuestion,
  { heartbeatMs, longestMs }: StreamLimits = streamLimits,
): AsyncGenerator<string> {
  const ended = AbortSignal.any([gone, AbortSignal.timeout(longestMs)]);
  const waitMs = isStillHere === undefined ? heartbeatMs : Math.min(heartbeatMs, lookAgainMs);
  yield `retry: ${retryMs}\n\n`;
  for (let page: FeedPage | undefined = first; page !== undefined; ) {
    yield pageText(page, kind, event);
    if (ended.aborted) return;
    page = await readOn(deps, { environmentId, after: page.cursor, limit: 100, waitMs, gone: ended });
    if (isStillHere !== undefined && !(await isStillHere())) return;
  }
}

/** Undefined when the log began again: the reader has to begin again, too. */
async function readOn(
  { db, watch }: StreamDependencies,
  question: Omit<FeedQuestion, "withResends">,
): Promise<FeedPage | undefined> {
  try {
    return await readFeed(db, watch, { ...question, withResends: false });
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/**
 * An id without data moves the reader's place and shows nothing. It ends every page, so that a reader who wants few of
 * the events does not come back to all of them; of an empty page it is the sign of life.
 */
function pageText({ items, cursor }: FeedPage, kind: EnvironmentKind, event: string | undefined): string {
  const shown = items.filter((item) => event === undefined || item.event.event === event);
  const messages = shown.map(
    (item) => `id: ${writeCursor(item.place)}\ndata: ${JSON.stringify(presentEvent(item.event, kind))}\n\n`,
  );
  return `${messages.join("")}: ok\nid: ${cursor}\n\n`;
}
