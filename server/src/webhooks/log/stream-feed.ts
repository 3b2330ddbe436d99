/**
 * The feed as server-sent events: each event as it is numbered, under its cursor. A reader that comes back names the
 * last id it has seen (browsers do so by themselves) and goes on behind it: nothing is lost and nothing comes twice.
 *
 * The caller's rights are checked again before each page and every second, so a revoked or expired key, and a person
 * who was removed or signed out, reads nothing more and its stream ends. A stream also ends after five minutes, and the
 * reader resumes.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Database, EnvironmentKind } from "../../platform/database/database.ts";
import { Problem } from "../../platform/problem.ts";
import type { FeedWatch } from "../../platform/records/feed-watch.ts";
import { type FeedTotals, writeCursor } from "./feed.ts";
import { presentEvent } from "./present-event.ts";
import { type FeedPage, type FeedQuestion, readFeed } from "./read-feed.ts";

interface StreamLimits {
  /** Proxies cut connections on which nothing moves for a minute, or less. */
  readonly heartbeatMs: number;
  readonly longestMs: number;
}

const streamLimits: StreamLimits = { heartbeatMs: 15_000, longestMs: 5 * 60_000 };
const recheckMs = 1_000;

export interface StreamQuestion {
  readonly environmentId: string;
  readonly kind: EnvironmentKind;
  /** Only events of this name. */
  readonly event: string | undefined;
  readonly gone: AbortSignal;
  /** Throws a Problem when the reader may read no more. */
  recheck(): Promise<void>;
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
  { first, kind, event, gone, recheck, environmentId }: StreamQuestion,
  { heartbeatMs, longestMs }: StreamLimits = streamLimits,
): AsyncGenerator<string> {
  const refused = new AbortController();
  const ended = AbortSignal.any([gone, refused.signal, AbortSignal.timeout(longestMs)]);
  void endWhenRefused(recheck, refused, ended);
  const question = { environmentId, limit: 100, waitMs: heartbeatMs, gone: ended, recheck };
  try {
    yield `retry: ${retryMs}\n\n`;
    for (let page: FeedPage | undefined = first; page !== undefined; ) {
      yield pageText(page, kind, event);
      if (ended.aborted) return;
      page = await readOn(deps, { ...question, after: page.cursor });
    }
  } finally {
    refused.abort();
  }
}

/** A stream on which nothing happens reads no page for seconds, and must end all the same. */
async function endWhenRefused(recheck: () => Promise<void>, refused: AbortController, ended: AbortSignal) {
  while (!ended.aborted) {
    await pause(recheckMs, undefined, { signal: ended }).catch(() => undefined);
    if (ended.aborted) return;
    // Another error, such as a database that is away, is told by the check before the next page.
    await recheck().catch((error: unknown) => error instanceof Problem && refused.abort());
  }
}

/** Undefined when the reader may read no more, or when the log began again and the reader has to as well. */
async function readOn(
  { db, watch }: StreamDependencies,
  { recheck, ...question }: Omit<FeedQuestion, "withResends"> & Pick<StreamQuestion, "recheck">,
): Promise<FeedPage | undefined> {
  try {
    const page = await readFeed(db, watch, { ...question, withResends: false });
    await recheck();
    return page;
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
