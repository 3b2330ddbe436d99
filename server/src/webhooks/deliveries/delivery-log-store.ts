/** What became of an event, endpoint by endpoint and try by try. */
import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import type { DeliveryStatus } from "./delivery.ts";

export interface LoggedAttempt {
  readonly at: Date;
  readonly sentAt: Date;
  readonly status: number | null;
  readonly durationMs: number;
  readonly body: string;
  readonly error: string | null;
}

export interface LoggedDelivery {
  readonly endpointId: string;
  readonly url: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Null when no try is planned: it is settled, or waits for an earlier event. */
  readonly nextAttemptAt: Date | null;
  readonly completedAt: Date | null;
  /** Newest first. */
  readonly log: readonly LoggedAttempt[];
}

export async function countDeliveries(tx: Tx, eventId: string): Promise<bigint> {
  const counted = await sql<{ total: bigint }>`
    select count(*) as total from webhook_deliveries
    where environment_id = ${tx.environment.id} and event_id = ${eventId}`.execute(tx);
  return counted.rows[0]?.total ?? 0n;
}

export async function readDeliveries(
  tx: Tx,
  eventId: string,
  page: { readonly skip: bigint; readonly limit: number },
): Promise<LoggedDelivery[]> {
  const found = await sql<Omit<LoggedDelivery, "log">>`
    select d.endpoint_id as "endpointId", e.url, d.status, d.attempts, d.completed_at as "completedAt",
      case when d.status = 'pending' and not d.waits then d.due_at end as "nextAttemptAt"
    from webhook_deliveries d
    join webhook_endpoints e on e.environment_id = d.environment_id and e.id = d.endpoint_id
    where d.environment_id = ${tx.environment.id} and d.event_id = ${eventId}
    order by d.endpoint_id desc limit ${page.limit} offset ${page.skip}`.execute(tx);
  const attempts = await readAttempts(
    tx,
    eventId,
    found.rows.map(({ endpointId }) => endpointId),
  );
  return found.rows.map((row) => ({ ...row, log: attempts.get(row.endpointId) ?? [] }));
}

/** More than two whole schedules. Replays can add any number; the newest are shown. */
const mostAttemptsShown = 25;

async function readAttempts(
  tx: Tx,
  eventId: string,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, readonly LoggedAttempt[]>> {
  const found = await sql<LoggedAttempt & { endpointId: string }>`
    select a.* from unnest(${endpointIds}::uuid[]) as wanted (id)
    cross join lateral (
      select t.endpoint_id as "endpointId", t.at, t.sent_at as "sentAt", t.response_status as status,
        t.duration_ms as "durationMs", t.response_body as body, t.error
      from webhook_attempt_log t
      where t.environment_id = ${tx.environment.id} and t.event_id = ${eventId} and t.endpoint_id = wanted.id
      order by t.sent_at desc limit ${mostAttemptsShown}) as a`.execute(tx);
  return Map.groupBy(found.rows, ({ endpointId }) => endpointId);
}
