import { Type } from "typebox";
import type { Database } from "../platform/database/database.ts";
import { keyRoute, type Route } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import { pageOf, pageQuery } from "../platform/records/pagination.ts";
import { parseSpan } from "../platform/time/time-span.ts";
import { deliveryData, presentDelivery, redeliverBody, redeliveredData, redeliverRangeBody } from "./event-schemas.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { mostRedelivered, redeliverEvent, redeliverRange } from "./redeliver-events.ts";

export interface DeliveryRouteDependencies {
  readonly db: Database;
  /** Every name in the catalogue. */
  readonly eventNames: readonly string[];
}

const tag = "Events";
const endpointProblems = ["webhook_endpoint_not_found", "webhook_endpoint_disabled"] as const;

export function deliveryRoutes({ eventNames }: DeliveryRouteDependencies): Route[] {
  return [listRoute(), redeliverRoute(), redeliverRangeRoute(eventNames)];
}

function listRoute(): Route {
  return keyRoute({
    method: "GET",
    path: "/events/{id}/deliveries",
    operationId: "listEventDeliveries",
    tag,
    summary: "List an event's deliveries",
    description:
      "What happened to the event at each endpoint, with every try: when, what the endpoint returned, and how long it took.",
    scope: "events:read",
    params: IdParams,
    query: pageQuery,
    reply: { status: 200, message: "Deliveries retrieved", data: Type.Array(deliveryData), paged: true },
    problems: ["event_not_found", "event_archived"],
    handle: ({ params, query, read }) =>
      read(async (tx) => {
        const { rows, pagination } = await listDeliveries(tx, params.id, pageOf(query));
        return { data: rows.map(presentDelivery), pagination };
      }),
  });
}

function redeliverRoute(): Route {
  return keyRoute({
    method: "POST",
    path: "/events/{id}/redeliver",
    operationId: "redeliverEvent",
    withoutProof: true,
    tag,
    summary: "Send an event again",
    description:
      "Delivers the event again, whatever happened before: tries count from one, and the `webhook-id` stays the same. A delivery that still waits for its first try is left alone. Readers of the feed with `include=resends` get it too.",
    scope: "events:write",
    params: IdParams,
    body: redeliverBody,
    reply: { status: 202, message: "The event is on its way", data: redeliveredData },
    problems: ["event_not_found", "event_archived", ...endpointProblems],
    handle: ({ params, body, write }) =>
      write(async (tx) => ({ data: await redeliverEvent(tx, params.id, body.endpointId) })),
  });
}

function redeliverRangeRoute(eventNames: readonly string[]): Route {
  return keyRoute({
    method: "POST",
    path: "/events/redeliver",
    operationId: "redeliverEvents",
    withoutProof: true,
    tag,
    summary: "Send a span of events again",
    description: `For an application that was down: every event from \`from\` up to \`to\`, at most ${mostRedelivered.toLocaleString("en")} events a request, in the order in which they happened.`,
    scope: "events:write",
    body: redeliverRangeBody(eventNames),
    reply: { status: 202, message: "The events are on their way", data: redeliveredData },
    problems: ["too_many_events", "event_archived", ...endpointProblems],
    handle: ({ body, write }) => {
      const { events, endpointId } = body;
      const span = parseSpan(body);
      return write(async (tx) => ({ data: await redeliverRange(tx, { span, events, endpointId }) }));
    },
  });
}
