import type {
  Delivery,
  EventFeed,
  FollowEventsQuery,
  JaraEvent,
  ListEventDeliveriesQuery,
  ListEventsQuery,
  RedeliverEventBody,
  RedeliverEventsBody,
  Redelivery,
} from "../api.gen.ts";
import type { Caller } from "../calling/caller.ts";
import type { SignalLike } from "../calling/fetching.ts";
import type { List } from "../calling/list.ts";
import type { CallOptions } from "../calling/settings.ts";

export interface FollowOptions {
  /** The cursor to go on from. Without it the feed begins with the first event. */
  readonly after?: string | undefined;
  /**
   * Told where to go on from, after you have handled everything before it: store it, and give it as `after` the next
   * time. What was not handled comes again then.
   */
  readonly onCursor?: ((cursor: string) => unknown) | undefined;
  /** How long the server holds a request until something happens: up to 30. */
  readonly waitSeconds?: number | undefined;
  /** Also yields an event each time that somebody has it sent again. Else every event comes once. */
  readonly resends?: boolean | undefined;
  readonly signal?: SignalLike | undefined;
}

const graceMs = 15_000;

/** Everything that happened: the log, its deliveries, and a feed for programs that cannot receive webhooks. */
export function events({ call, list }: Pick<Caller, "call" | "list">) {
  const readFeed = (query: FollowEventsQuery = {}, options?: CallOptions): Promise<EventFeed> =>
    call("GET /events/feed", { query }, options);
  return {
    list: (query: ListEventsQuery = {}, options?: CallOptions): List<JaraEvent> =>
      list("GET /events", { query }, options),
    get: (id: string, options?: CallOptions): Promise<JaraEvent> => call("GET /events/{id}", { path: { id } }, options),
    /** Every try to send an event to an endpoint. */
    listDeliveries: (id: string, query: ListEventDeliveriesQuery = {}, options?: CallOptions): List<Delivery> =>
      list("GET /events/{id}/deliveries", { path: { id }, query }, options),
    redeliver: (id: string, to: RedeliverEventBody = {}, options?: CallOptions): Promise<Redelivery> =>
      call("POST /events/{id}/redeliver", { path: { id }, body: to }, options),
    /** Sends a span of events again, for an application that was down. */
    redeliverSpan: (span: RedeliverEventsBody, options?: CallOptions): Promise<Redelivery> =>
      call("POST /events/redeliver", { body: span }, options),
    /** One reply of the feed; `follow` reads it for you. */
    readFeed,
    /** Every event in its order, and then each as it happens, until you stop reading or the signal ends it. */
    follow: (options: FollowOptions = {}): AsyncGenerator<JaraEvent, void> => followFeed(readFeed, options),
  };
}

async function* followFeed(
  readFeed: (query: FollowEventsQuery, options: CallOptions) => Promise<EventFeed>,
  { after, onCursor, waitSeconds = 20, resends = false, signal }: FollowOptions,
): AsyncGenerator<JaraEvent, void> {
  for (let cursor = after; ; ) {
    const timeoutMs = waitSeconds * 1_000 + graceMs;
    const query = { after: cursor, wait: waitSeconds, ...(resends ? { include: "resends" as const } : {}) };
    const feed = await readFeed(query, { signal, timeoutMs });
    yield* feed.events;
    // The reader asked for more, so everything before this is handled.
    if (feed.cursor !== cursor) await onCursor?.(feed.cursor);
    cursor = feed.cursor;
  }
}
