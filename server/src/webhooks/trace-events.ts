/** What webhooks tell in a trace: what was announced about a record, and how it reached the merchant. */

import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import { canBeUntil } from "../platform/database/ids.ts";
import { readEventFloor } from "../platform/records/event-floor.ts";
import type { TracedKind, TraceSource, TraceStep } from "../platform/records/trace.ts";
import type { DeliveryStatus } from "./deliveries/delivery.ts";

const tracedEvents: readonly TracedKind[] = [
  { kind: "webhook_endpoint", table: "webhook_endpoints" },
  { kind: "event", table: "events", partOf: sql`resource_id` },
];

interface TracedEvent {
  readonly id: string;
  readonly event: string;
  readonly version: number;
  readonly createdAt: Date;
}

interface TracedDelivery {
  readonly eventId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly status: DeliveryStatus;
  readonly dueAt: Date;
  readonly completedAt: Date | null;
}

interface TracedAttempt {
  readonly eventId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly at: Date;
  readonly sentAt: Date;
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: string | null;
}

const mostEvents = 1_000;

/** The events of these records, and those that are named themselves. */
async function readEventsOf(tx: Tx, ids: readonly string[]): Promise<TracedEvent[]> {
  const found = await sql<TracedEvent>`
    select e.id, e.event, e.resource_version as version, e.created_at as "createdAt" from events e
    where e.environment_id = ${tx.environment.id}
      and (e.resource_id = any (${ids}::uuid[]) or e.id = any (${ids}::uuid[]))
    order by e.created_at, e.sequence limit ${mostEvents}`.execute(tx);
  return found.rows;
}

async function readDeliveriesOf(tx: Tx, eventIds: readonly string[]): Promise<TracedDelivery[]> {
  const found = await sql<TracedDelivery>`
    select d.event_id as "eventId", d.endpoint_id as "endpointId", e.url, d.status, d.due_at as "dueAt",
      d.completed_at as "completedAt"
    from webhook_deliveries d
    join webhook_endpoints e on e.environment_id = d.environment_id and e.id = d.endpoint_id
    where d.environment_id = ${tx.environment.id} and d.event_id = any (${eventIds}::uuid[])
    order by d.event_position, d.endpoint_id limit ${mostEvents}`.execute(tx);
  return found.rows;
}

async function readAttemptsOf(tx: Tx, eventIds: readonly string[]): Promise<TracedAttempt[]> {
  const found = await sql<TracedAttempt>`
    select a.event_id as "eventId", a.endpoint_id as "endpointId", e.url, a.at, a.sent_at as "sentAt",
      a.response_status as status, a.duration_ms as "durationMs", a.error
    from webhook_attempt_log a
    join webhook_endpoints e on e.environment_id = a.environment_id and e.id = a.endpoint_id
    where a.environment_id = ${tx.environment.id} and a.event_id = any (${eventIds}::uuid[])
    order by a.sent_at limit ${mostEvents}`.execute(tx);
  return found.rows;
}

export const eventTrace: TraceSource = {
  records: tracedEvents,
  async tell(tx, { ids }) {
    const events = await readEventsOf(tx, ids);
    const eventIds = events.map(({ id }) => id);
    const byId = new Map(events.map((event) => [event.id, event]));
    const attempts = (await readAttemptsOf(tx, eventIds)).map(attemptStep);
    const open = (await readDeliveriesOf(tx, eventIds)).filter(({ status }) => status !== "delivered");
    const sent = [...attempts, ...open.map(deliveryStep)];
    const steps = [...events.map(eventStep), ...sent.map((step) => ({ ...step, ...placeOf(byId, step) }))];
    const { until } = await readEventFloor(tx);
    return {
      steps: until !== null && ids.some((id) => canBeUntil(id, until)) ? [...steps, archiveStep(until)] : steps,
    };
  },
};

/** A delivery stands where its event does. */
function placeOf(events: ReadonlyMap<string, TracedEvent>, { ids }: Pick<TraceStep, "ids">) {
  const event = events.get(ids["event"] ?? "");
  return event === undefined ? {} : { turn: event.version, cause: event.event };
}

/** For a record that may have events which are not online any more. */
function archiveStep(until: Date): TraceStep {
  return {
    at: until,
    kind: "event",
    title: "Events up to here are in the archive",
    detail: { archivedUntil: until.toISOString(), readWith: "jara archive read" },
    ids: {},
    ok: true,
  };
}

function eventStep({ id, event, version, createdAt }: TracedEvent): TraceStep {
  return {
    at: createdAt,
    kind: "event",
    title: `Event ${event}`,
    detail: { event, resourceVersion: version },
    ids: { event: id },
    ok: true,
    turn: version,
    cause: event,
  };
}

function attemptStep({ eventId, endpointId, url, at, sentAt, status, durationMs, error }: TracedAttempt) {
  const ok = status !== null && status >= 200 && status < 300;
  return {
    at,
    kind: "delivery" as const,
    title: ok ? `Delivered to ${url}` : `Not delivered to ${url}`,
    detail: { url, status, durationMs, error, sentAt: sentAt.toISOString() },
    ids: { event: eventId, endpoint: endpointId },
    ok,
  };
}

const standing = {
  pending: "Delivery planned",
  failed: "Delivery given up",
  held: "Delivery held: the endpoint is disabled",
  cancelled: "Delivery cancelled: the endpoint was deleted",
  delivered: "Delivered",
} as const;

/** What is not delivered, as it stands now. */
function deliveryStep({ eventId, endpointId, url, status, dueAt, completedAt }: TracedDelivery) {
  return {
    at: completedAt ?? dueAt,
    kind: "delivery" as const,
    title: `${standing[status]}: ${url}`,
    detail: { url, status },
    ids: { event: eventId, endpoint: endpointId },
    ok: status === "pending",
  };
}
