import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { TracedKind } from "../platform/records/trace.ts";
import type { DeliveryStatus } from "./delivery.ts";

export const tracedEvents: readonly TracedKind[] = [
  { kind: "webhook_endpoint", table: "webhook_endpoints" },
  { kind: "event", table: "events", partOf: sql`resource_id` },
];

export interface TracedEvent {
  readonly id: string;
  readonly event: string;
  readonly version: number;
  readonly createdAt: Date;
}

export interface TracedDelivery {
  readonly eventId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly status: DeliveryStatus;
  readonly dueAt: Date;
  readonly completedAt: Date | null;
}

export interface TracedAttempt {
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
export async function readEventsOf(tx: Tx, ids: readonly string[]): Promise<TracedEvent[]> {
  const found = await sql<TracedEvent>`
    select e.id, e.event, e.resource_version as version, e.created_at as "createdAt" from events e
    where e.environment_id = ${tx.environment.id}
      and (e.resource_id = any (${ids}::uuid[]) or e.id = any (${ids}::uuid[]))
    order by e.created_at, e.sequence limit ${mostEvents}`.execute(tx);
  return found.rows;
}

export async function readDeliveriesOf(tx: Tx, eventIds: readonly string[]): Promise<TracedDelivery[]> {
  const found = await sql<TracedDelivery>`
    select d.event_id as "eventId", d.endpoint_id as "endpointId", e.url, d.status, d.due_at as "dueAt",
      d.completed_at as "completedAt"
    from webhook_deliveries d
    join webhook_endpoints e on e.environment_id = d.environment_id and e.id = d.endpoint_id
    where d.environment_id = ${tx.environment.id} and d.event_id = any (${eventIds}::uuid[])
    order by d.event_position, d.endpoint_id limit ${mostEvents}`.execute(tx);
  return found.rows;
}

export async function readAttemptsOf(tx: Tx, eventIds: readonly string[]): Promise<TracedAttempt[]> {
  const found = await sql<TracedAttempt>`
    select a.event_id as "eventId", a.endpoint_id as "endpointId", e.url, a.at, a.sent_at as "sentAt",
      a.response_status as status, a.duration_ms as "durationMs", a.error
    from webhook_attempt_log a
    join webhook_endpoints e on e.environment_id = a.environment_id and e.id = a.endpoint_id
    where a.environment_id = ${tx.environment.id} and a.event_id = any (${eventIds}::uuid[])
    order by a.sent_at limit ${mostEvents}`.execute(tx);
  return found.rows;
}
