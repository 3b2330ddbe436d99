import { Type } from "typebox";
import type { Database } from "../../platform/database/database.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { IdParams } from "../../platform/http/wire.ts";
import { createFeedWatch, type FeedWatch } from "../../platform/records/feed-watch.ts";
import { pageOf } from "../../platform/records/pagination.ts";
import { parseSpan } from "../../platform/time/time-span.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { eventProblem } from "./event-errors.ts";
import { eventData, eventsQuery, feedData, feedQuery, presentFeed, streamQuery } from "./event-schemas.ts";
import { type FeedTotals, feedEnd } from "./feed.ts";
import { readFeedTotals } from "./feed-store.ts";
import { listEvents, requireEvent } from "./list-events.ts";
import { presentEvent } from "./present-event.ts";
import { readFeed } from "./read-feed.ts";
import { type StreamDependencies, streamFeed } from "./stream-feed.ts";

export interface EventRouteDependencies {
  readonly db: Database;
  /** Every name in the catalogue. */
  readonly eventNames: readonly string[];
}

const tag = "Events";
const scope = "events:read";

export function eventRoutes(deps: EventRouteDependencies): Route[] {
  const watch = createFeedWatch({ readTotals: (environmentIds) => readFeedTotals(deps.db, environmentIds) });
  return [
    listRoute(deps),
    feedRoute(deps.db, watch),
    streamRoute({ ...deps, watch }),
    readRoute(),
    ...deliveryRoutes(deps),
  ];
}

function listRoute({ eventNames }: EventRouteDependencies): Route {
  return describeRoute("key", {
    method: "GET",
    path: "/events",
    operationId: "listEvents",
    tag,
    summary: "List events",
    description:
      "Everything that happened in this environment, newest first, as it was sent to webhook endpoints. Operators may archive old events; the last page says so.",
    scope,
    query: eventsQuery(eventNames),
    reply: {
      status: 200,
      message: "Events retrieved",
      data: Type.Array(eventData),
      paged: true,
      headers: { "Jara-Warning": "`events_archived`: older events that fit are in the archive." },
    },
    handle: ({ caller, query, read }) => {
      const { event, status = null } = query;
      const filter = { status, events: event === undefined ? null : [event], ...parseSpan(query) };
      return read(async (tx) => {
        const { rows, pagination, endsAtArchive } = await listEvents(tx, filter, pageOf(query));
        const headers = endsAtArchive ? { "jara-warning": "events_archived" } : {};
        return { data: rows.map((event) => presentEvent(event, caller.kind)), pagination, headers };
      });
    },
  });
}

function readRoute(): Route {
  return describeRoute("key", {
    method: "GET",
    path: "/events/{id}",
    operationId: "getEvent",
    tag,
    summary: "Get an event",
    description: "One event by its id, which is also the `webhook-id` of its deliveries.",
    scope,
    params: IdParams,
    reply: { status: 200, message: "Event retrieved", data: eventData },
    problems: ["event_not_found", "event_archived"],
    handle: ({ caller, params, read }) =>
      read(async (tx) => ({ data: presentEvent(await requireEvent(tx, params.id), caller.kind) })),
  });
}

function feedRoute(db: Database, watch: FeedWatch<FeedTotals>): Route {
  return describeRoute("key", {
    method: "GET",
    path: "/events/feed",
    operationId: "followEvents",
    tag,
    summary: "Follow events",
    description:
      "Events in their order, oldest first, for applications that cannot receive webhooks. Keep `cursor` and send it as `after`: nothing is skipped and nothing comes twice. With `wait` the reply comes as soon as there is an event, or empty after that many seconds. With `include=resends` an event also comes each time that it is sent again.",
    scope,
    query: feedQuery,
    reply: { status: 200, message: "Events retrieved", data: feedData },
    problems: ["feed_cursor_unknown", "feed_cursor_archived"],
    handle: async ({ caller, query, gone }) => {
      const { after, include, wait = 0, limit = 100 } = query;
      const { environmentId, kind } = caller;
      const withResends = include === "resends";
      const question = { environmentId, after, withResends, limit, waitMs: wait * 1000, gone: gone() };
      const page = await readFeed(db, watch, question);
      // The wait may have outlasted the caller's rights.
      await caller.recheck();
      return { data: presentFeed(page, kind, withResends) };
    },
  });
}

const eventStream = "text/event-stream";

/** Of one key or person, in one process. */
export const mostStreams = 20;
/** A reader that has taken nothing for so long is cut off. */
const stallMs = 30_000;
const retryAfterSeconds = 5;

const example =
  'id: MS8wMTkzMGI2ZS03\ndata: {"id":"01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11","event":"transfer.completed"}\n\n';

function streamRoute(deps: StreamDependencies & { readonly eventNames: readonly string[] }): Route {
  const open = new Map<string, number>();
  return describeRoute("key", {
    method: "GET",
    path: "/events/stream",
    operationId: "streamEvents",
    tag: "Events",
    summary: "Stream events",
    description:
      "Each event as it happens, as server-sent events (`Accept: text/event-stream`). `id` is the cursor of the feed: send the last one as `Last-Event-ID`, or as `after`, and the stream goes on behind it. It ends after five minutes, and for a reader that does not read; come back with the last id. With JSON it is one page of the feed.",
    scope: "events:read",
    query: streamQuery(deps.eventNames),
    reply: {
      status: 200,
      message: "Events retrieved",
      data: feedData,
      alsoAs: { [eventStream]: example },
      headers: { "X-Accel-Buffering": "`no`: a proxy should pass each event on at once." },
    },
    problems: ["feed_cursor_unknown", "feed_cursor_archived", "too_many_streams", "not_acceptable"],
    handle: async ({ caller, query, headers, mediaType, gone: goneOf }) => {
      const { environmentId, kind, holderId, recheck } = caller;
      const gone = goneOf();
      const lastId = headers["last-event-id"];
      const after = (typeof lastId === "string" && lastId !== "" ? lastId : query.after) ?? feedEnd;
      const question = { environmentId, after, withResends: false, limit: 100, waitMs: 0, gone };
      const first = await readFeed(deps.db, deps.watch, question);
      if (mediaType !== eventStream) return { data: presentFeed(first, kind, false) };
      takePlace(open, holderId, gone);
      const chunks = streamFeed(deps, { environmentId, kind, event: query.event, gone, recheck, first });
      return { mediaType: eventStream, chunks, stallMs, headers: { "x-accel-buffering": "no" } };
    },
  });
}

/** Throws too_many_streams. The place is free again when the caller is gone. */
function takePlace(open: Map<string, number>, holderId: string, gone: AbortSignal): void {
  const taken = open.get(holderId) ?? 0;
  if (taken >= mostStreams) {
    throw eventProblem("too_many_streams", { headers: { "retry-after": String(retryAfterSeconds) } });
  }
  open.set(holderId, taken + 1);
  const leave = (): void => {
    const left = (open.get(holderId) ?? 1) - 1;
    if (left === 0) open.delete(holderId);
    else open.set(holderId, left);
  };
  gone.addEventListener("abort", leave, { once: true });
}
