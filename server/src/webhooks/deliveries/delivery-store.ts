/** The rows of deliveries: settling them, and starting again. */
import { sql } from "kysely";
import { type Database, operatorScope, type Tx } from "../../platform/database/database.ts";
import { retryTransient } from "../../platform/database/retry-transient.ts";
import { cancelScheduled } from "../../platform/work/agenda.ts";
import type { DeliveryKey, DeliveryStatus } from "./delivery.ts";

/** A line of events of one resource to one endpoint. */
export interface Line {
  readonly environmentId: string;
  readonly endpointId: string;
  readonly resourceId: string;
}

export interface Attempt extends DeliveryKey {
  readonly at: Date;
  readonly sentAt: Date;
  readonly status: number | null;
  readonly durationMs: number;
  readonly body: string;
  readonly error: string | null;
}

export interface Arrival extends Attempt {
  readonly environmentId: string;
  readonly resourceId: string;
}

export interface Recorded {
  /** Lines that have to be released again. */
  readonly left: readonly Line[];
  /** Sandboxes that are being emptied: what arrived there was not written down. */
  readonly turnedAway: ReadonlySet<string>;
}

/** Writes down what was acknowledged, of any environments. Locks: the deliveries by key, in the order of the arrays. */
export async function recordArrivals(db: Database, arrivals: readonly Arrival[]): Promise<Recorded> {
  const sorted = arrivals.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const each = <T>(of: (arrival: Arrival) => T): T[] => sorted.map(of);
  // Without quotes and without a look at each letter, as the driver would have it.
  const plain = (of: (arrival: Arrival) => string | number): string => `{${each(of).join()}}`;
  const recorded = await retryTransient(() =>
    sql<Line & { turnedAway: boolean }>`
      select environment_id as "environmentId", endpoint_id as "endpointId", resource_id as "resourceId",
        turned_away as "turnedAway"
      from record_webhook_arrivals(${plain((one) => one.environmentId)}::uuid[],
        ${plain((one) => one.eventId)}::uuid[], ${plain((one) => one.endpointId)}::uuid[],
        ${plain((one) => one.resourceId)}::uuid[], ${plain((one) => one.at.toISOString())}::timestamptz[],
        ${plain((one) => one.sentAt.toISOString())}::timestamptz[],
        ${plain((one) => one.status ?? "null")}::integer[], ${plain((one) => one.durationMs)}::integer[],
        ${each((one) => one.body)}::text[])`.execute(db),
  );
  const closed = recorded.rows.filter(({ turnedAway }) => turnedAway);
  return {
    left: recorded.rows.filter(({ turnedAway }) => !turnedAway),
    turnedAway: new Set(closed.map(({ environmentId }) => environmentId)),
  };
}

function keyOf({ environmentId, eventId, endpointId }: Arrival): string {
  return environmentId + eventId + endpointId;
}

/** Lets the next event of each line go. Returns the lines that a fan-out held at this moment. */
export async function releaseLines(tx: Tx, lines: readonly Line[]): Promise<readonly Line[]> {
  const left = await sql<Line>`
    select environment_id as "environmentId", endpoint_id as "endpointId", resource_id as "resourceId"
    from release_webhook_deliveries(${lines.map((line) => line.environmentId)}::uuid[],
      ${lines.map((line) => line.endpointId)}::uuid[], ${lines.map((line) => line.resourceId)}::uuid[])`.execute(tx);
  return left.rows;
}

export interface OpenDelivery {
  readonly status: string;
  readonly attempts: number;
}

export function lockDelivery(tx: Tx, { eventId, endpointId }: DeliveryKey): Promise<OpenDelivery | undefined> {
  return tx
    .selectFrom("webhook_deliveries")
    .select(["status", "attempts"])
    .where("environment_id", "=", tx.environment.id)
    .where("event_id", "=", eventId)
    .where("endpoint_id", "=", endpointId)
    .forUpdate()
    .executeTakeFirst();
}

export async function insertAttempt(tx: Tx, attempt: Attempt): Promise<void> {
  await tx
    .insertInto("webhook_attempts")
    .values({
      environment_id: tx.environment.id,
      event_id: attempt.eventId,
      endpoint_id: attempt.endpointId,
      at: attempt.at,
      sent_at: attempt.sentAt,
      response_status: attempt.status,
      duration_ms: attempt.durationMs,
      response_body: attempt.body,
      error: attempt.error,
    })
    .execute();
}

export interface FailedMove {
  readonly attempts: number;
  /** Null: there is no further try. */
  readonly nextAt: Date | null;
  /** The next try is due already. */
  readonly atOnce: boolean;
  readonly at: Date;
}

export async function moveFailed(tx: Tx, { eventId, endpointId }: DeliveryKey, move: FailedMove): Promise<void> {
  const ended = move.nextAt === null;
  await sql`
    update webhook_deliveries set attempts = ${move.attempts}, status = ${ended ? "failed" : "pending"},
      due_at = ${move.nextAt ?? move.at}, claim_at = ${move.atOnce && !ended ? sql`clock_timestamp()` : null},
      completed_at = ${ended ? move.at : null}
    where environment_id = ${tx.environment.id} and event_id = ${eventId} and endpoint_id = ${endpointId}`.execute(tx);
}

/** Hands deliveries whose time has come to the workers. Locks: the deliveries by key. Returns their lines. */
export async function queueDeliveries(tx: Tx, keys: readonly DeliveryKey[]): Promise<readonly Line[]> {
  const environmentId = tx.environment.id;
  const found = await sql<Line>`
    with due as materialized (
      select d.event_id, d.endpoint_id, d.resource_id from webhook_deliveries d
      where d.environment_id = ${environmentId} and (d.event_id, d.endpoint_id) in (
        select k.event_id, k.endpoint_id
        from unnest(${keys.map(({ eventId }) => eventId)}::uuid[], ${keys.map(({ endpointId }) => endpointId)}::uuid[])
          as k (event_id, endpoint_id))
      order by d.event_id, d.endpoint_id
      for update
    ), queued as (
      update webhook_deliveries d set claim_at = clock_timestamp() from due
      where d.environment_id = ${environmentId} and d.event_id = due.event_id and d.endpoint_id = due.endpoint_id
        and d.status = 'pending' and d.claim_at is null and not d.waits
    )
    select ${environmentId}::uuid as "environmentId", endpoint_id as "endpointId", resource_id as "resourceId"
    from due`.execute(tx);
  return found.rows;
}

export const retryTask = "webhooks.retry";

/** The agenda's name for a delivery. */
export function subjectOf({ eventId, endpointId }: DeliveryKey): string {
  return `${eventId}/${endpointId}`;
}

/** Ends everything that is open for an endpoint. Locks: the endpoint's row, held by the caller, then the deliveries. */
export async function endOpenDeliveries(
  tx: Tx,
  endpointId: string,
  status: DeliveryStatus & ("held" | "cancelled"),
): Promise<void> {
  const ended = await tx
    .updateTable("webhook_deliveries")
    .set({ status, claim_at: null, waits: false })
    .where("environment_id", "=", tx.environment.id)
    .where("endpoint_id", "=", endpointId)
    .where("status", "in", status === "cancelled" ? ["pending", "held"] : ["pending"])
    .returning(["event_id as eventId", "endpoint_id as endpointId"])
    .execute();
  for (let from = 0; from < ended.length; from += 1_000) {
    await cancelScheduled(tx, retryTask, ended.slice(from, from + 1_000).map(subjectOf));
  }
}

/** Deliveries of all environments that nothing will move, in the order of their keys, after the given one. */
export async function findWaitingDeliveries(
  db: Database,
  after: (DeliveryKey & { readonly environmentId: string }) | undefined,
  atMost: number,
): Promise<(DeliveryKey & { readonly environmentId: string })[]> {
  const { environmentId, eventId, endpointId } = after ?? beginning;
  const found = await sql<DeliveryKey & { readonly environmentId: string }>`
    select environment_id as "environmentId", event_id as "eventId", endpoint_id as "endpointId"
    from find_waiting_webhook_deliveries(${environmentId}::uuid, ${eventId}::uuid, ${endpointId}::uuid, ${atMost})
  `.execute(db);
  return found.rows;
}

const beginning = { environmentId: operatorScope, eventId: operatorScope, endpointId: operatorScope };
