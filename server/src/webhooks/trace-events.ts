/** What webhooks tell in a trace: what was announced about a record, and how it reached the merchant. */
import { canBeUntil } from "../platform/database/ids.ts";
import { readEventFloor } from "../platform/records/event-floor.ts";
import type { TraceSource, TraceStep } from "../platform/records/trace.ts";
import {
  readAttemptsOf,
  readDeliveriesOf,
  readEventsOf,
  type TracedAttempt,
  type TracedDelivery,
  type TracedEvent,
  tracedEvents,
} from "./trace-store.ts";

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
