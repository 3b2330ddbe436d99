import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import { type DisabledReason, mostEndpoints } from "./endpoint.ts";

export interface EndpointState {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly failingSince: Date | null;
  readonly updatedAt: Date;
  readonly waiting: number;
}

/** Deliveries are counted up to here. */
export const mostCounted = 1_000;

export async function readEndpointStates(tx: Tx): Promise<EndpointState[]> {
  const found = await sql<EndpointState>`
    select e.id, e.url, e.enabled, e.disabled_reason as "disabledReason", e.failing_since as "failingSince",
      e.updated_at as "updatedAt", w.waiting
    from webhook_endpoints e
    cross join lateral (
      select count(*)::integer as waiting from (
        select 1 from webhook_deliveries d
        where d.environment_id = e.environment_id and d.endpoint_id = e.id and d.status = 'pending'
        limit ${mostCounted}) d) w
    where e.environment_id = ${tx.environment.id} and e.deleted_at is null
    order by e.id limit ${mostEndpoints}`.execute(tx);
  return found.rows;
}
