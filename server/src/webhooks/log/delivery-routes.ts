import { Type } from "typebox";
import type { Database, Tx } from "../../platform/database/database.ts";
import { isUuid } from "../../platform/database/ids.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { IdParams } from "../../platform/http/wire.ts";
import { holdEventFloor, readEventFloor } from "../../platform/records/event-floor.ts";
import {
  type PageRequest,
  type Pagination,
  pageOf,
  pageQuery,
  paginationOf,
} from "../../platform/records/pagination.ts";
import { parseSpan, type Span } from "../../platform/time/time-span.ts";
import { countDeliveries, type LoggedDelivery, readDeliveries } from "../deliveries/delivery-log-store.ts";
import { lockEndpointRow, shareEndpoints } from "../endpoints/endpoint-store.ts";
import { webhookProblem } from "../endpoints/errors.ts";
import { eventProblem } from "./event-errors.ts";
import { countMatching, readMatchingIds } from "./event-log-store.ts";
import { deliveryData, presentDelivery, redeliverBody, redeliveredData, redeliverRangeBody } from "./event-schemas.ts";
import { archived, reachesArchive, requireEvent } from "./list-events.ts";
import { recordResends, redeliver } from "./redelivery-store.ts";

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
  return describeRoute("key", {
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
  return describeRoute("key", {
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
  return describeRoute("key", {
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

/** One page of what became of an event, newest endpoint first. */
async function listDeliveries(
  tx: Tx,
  eventId: string,
  { page, limit }: PageRequest,
): Promise<{ rows: LoggedDelivery[]; pagination: Pagination }> {
  await requireEvent(tx, eventId);
  const total = await countDeliveries(tx, eventId);
  const skip = BigInt(page - 1) * BigInt(limit);
  const rows = skip >= total ? [] : await readDeliveries(tx, eventId, { skip, limit });
  return { rows, pagination: paginationOf(total, page, limit) };
}

/**
 * Sends events again: one, or a span of time. Asking twice does little harm: what still waits for its first try is left
 * as it is, and a receiver knows a repeated event by its id. Readers of the feed who asked for resends get every one,
 * whichever endpoints it goes to, also when there are none.
 */

/** One request puts so many on their way at most, because they share one transaction. */
const mostRedelivered = 5_000;

interface Redelivered {
  readonly events: number;
  readonly deliveries: number;
}

async function redeliverEvent(tx: Tx, eventId: string, endpointId: string | undefined): Promise<Redelivered> {
  await holdEventFloor(tx);
  await requireEvent(tx, eventId);
  return redeliverAll(tx, [eventId], endpointId);
}

interface RedeliverRange {
  readonly span: Span;
  readonly events: readonly string[] | undefined;
  readonly endpointId: string | undefined;
}

async function redeliverRange(tx: Tx, { span, events, endpointId }: RedeliverRange): Promise<Redelivered> {
  await holdEventFloor(tx);
  const floor = await readEventFloor(tx);
  // A part of what was asked for would look like all of it.
  if (reachesArchive(floor, span.from)) throw archived(floor);
  const filter = { status: null, events: events ?? null, ...span, floor: floor.position };
  const eventIds = await readMatchingIds(tx, filter, mostRedelivered + 1);
  if (eventIds.length > mostRedelivered) {
    const matching = Number(await countMatching(tx, filter));
    throw eventProblem("too_many_events", { data: { matching, atMost: mostRedelivered } });
  }
  return redeliverAll(tx, eventIds, endpointId);
}

async function redeliverAll(tx: Tx, eventIds: readonly string[], endpointId: string | undefined): Promise<Redelivered> {
  // Locks: endpoints before deliveries. None of them is disabled meanwhile, which would strand what is put on its way.
  if (endpointId === undefined) await shareEndpoints(tx);
  else await requireEnabled(tx, endpointId);
  const begun = await redeliver(tx, { eventIds, ...(endpointId === undefined ? {} : { endpointId }) });
  await recordResends(tx, eventIds);
  return { events: new Set(begun.map(({ eventId }) => eventId)).size, deliveries: begun.length };
}

async function requireEnabled(tx: Tx, id: string): Promise<void> {
  const endpoint = isUuid(id) ? await lockEndpointRow(tx, id) : undefined;
  if (endpoint === undefined) throw webhookProblem("webhook_endpoint_not_found");
  if (!endpoint.enabled) throw webhookProblem("webhook_endpoint_disabled");
}
