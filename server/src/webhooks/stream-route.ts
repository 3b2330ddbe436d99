import { keyRoute, type Route } from "../platform/http/route.ts";
import { eventProblem } from "./event-errors.ts";
import { feedData, presentFeed, streamQuery } from "./event-schemas.ts";
import { feedEnd } from "./feed.ts";
import { readFeed } from "./read-feed.ts";
import { type StreamDependencies, streamFeed } from "./stream-feed.ts";

const eventStream = "text/event-stream";

/** Of one key or person, in one process. */
export const mostStreams = 20;
/** A reader that has taken nothing for so long is cut off. */
const stallMs = 30_000;
const retryAfterSeconds = 5;

const example =
  'id: MS8wMTkzMGI2ZS03\ndata: {"id":"01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11","event":"transfer.completed"}\n\n';

export function streamRoute(deps: StreamDependencies & { readonly eventNames: readonly string[] }): Route {
  const open = new Map<string, number>();
  return keyRoute({
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
