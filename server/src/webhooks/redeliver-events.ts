/**
 * Sends events again: one, or a span of time. Asking twice does little harm: what still waits for its first try is left
 * as it is, and a receiver knows a repeated event by its id. Readers of the feed who asked for resends get every one,
 * whichever endpoints it goes to, also when there are none.
 */
import type { Tx } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { holdEventFloor, readEventFloor } from "../platform/records/event-floor.ts";
import type { Span } from "../platform/time/time-span.ts";
import { lockEndpointRow, shareEndpoints } from "./endpoint-store.ts";
import { webhookProblem } from "./errors.ts";
import { eventProblem } from "./event-errors.ts";
import { countMatching, readMatchingIds } from "./event-log-store.ts";
import { archived, reachesArchive, requireEvent } from "./list-events.ts";
import { redeliver } from "./redelivery-store.ts";
import { recordResends } from "./resend-store.ts";

/** One request puts so many on their way at most, because they share one transaction. */
export const mostRedelivered = 5_000;

export interface Redelivered {
  readonly events: number;
  readonly deliveries: number;
}

export async function redeliverEvent(tx: Tx, eventId: string, endpointId: string | undefined): Promise<Redelivered> {
  await holdEventFloor(tx);
  await requireEvent(tx, eventId);
  return redeliverAll(tx, [eventId], endpointId);
}

export interface RedeliverRange {
  readonly span: Span;
  readonly events: readonly string[] | undefined;
  readonly endpointId: string | undefined;
}

export async function redeliverRange(tx: Tx, { span, events, endpointId }: RedeliverRange): Promise<Redelivered> {
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
