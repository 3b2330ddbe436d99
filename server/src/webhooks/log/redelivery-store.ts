/** Sends events again, whatever became of them, to endpoints that are enabled now, and writes it down for the feed. */
import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import { takePositions } from "../../platform/records/pagination.ts";
import { cancelScheduled } from "../../platform/work/agenda.ts";
import type { DeliveryKey } from "../deliveries/delivery.ts";
import { retryTask, subjectOf } from "../deliveries/delivery-store.ts";
import { eventList } from "./event-log-store.ts";

export interface Redelivery {
  readonly eventIds: readonly string[];
  /** Only there, whether it asked for such events or not; otherwise to all that ask for them or were sent them. */
  readonly endpointId?: string;
}

/**
 * Returns what was put on its way. Deliveries whose first try is still to come are left as they are. Events of one
 * resource keep their order: the first goes, the others wait for it. A test event only ever goes to its own endpoint.
 */
export async function redeliver(tx: Tx, { eventIds, endpointId }: Redelivery): Promise<readonly DeliveryKey[]> {
  const now = tx.environment.clock.now();
  const begun = await sql<DeliveryKey>`
    with wanted as (
      select v.id as event_id, e.id as endpoint_id, v.list_position, v.resource_id
      from events v join webhook_endpoints e on e.environment_id = v.environment_id
      left join webhook_deliveries d on d.environment_id = v.environment_id and d.event_id = v.id
        and d.endpoint_id = e.id
      where v.environment_id = ${tx.environment.id} and v.id = any (${eventIds}::uuid[])
        and v.list_position is not null and e.enabled
        and (d.event_id is null or d.status <> 'pending' or d.attempts > 0)
        and case when v.event = 'webhook.test' then e.id = v.resource_id
          else ${endpointId ?? null}::uuid is not null or d.event_id is not null or '*' = any (e.events)
            or v.event = any (e.events) end
        and e.id = coalesce(${endpointId ?? null}::uuid, e.id)
    ), placed as (
      select w.*, row_number() over (partition by w.endpoint_id, w.resource_id order by w.list_position) as place,
        row_number() over (order by w.list_position) as turn
      from wanted w
    )
    insert into webhook_deliveries as d (environment_id, event_id, endpoint_id, event_position, resource_id, status,
      due_at, claim_at, waits)
    select ${tx.environment.id}::uuid, p.event_id, p.endpoint_id, p.list_position, p.resource_id, 'pending', ${now},
      case when p.place = 1 then clock_timestamp() + p.turn * interval '1 microsecond' end, p.place > 1
    from placed p
    order by p.event_id, p.endpoint_id
    on conflict (environment_id, event_id, endpoint_id) do update
    set status = 'pending', attempts = 0, due_at = excluded.due_at, claim_at = excluded.claim_at,
      waits = excluded.waits, completed_at = null
    returning d.event_id as "eventId", d.endpoint_id as "endpointId"`.execute(tx);
  await cancelScheduled(tx, retryTask, begun.rows.map(subjectOf));
  return begun.rows;
}

/** The list's counter. It stays locked until commit, so positions become visible in their order. */
export const resendList = "event_resends";

/**
 * Writes down, in the order of the log, that events were sent again, for readers of the feed who ask for that. An event
 * without a position is left out: it is still to come for the first time.
 */
export async function recordResends(tx: Tx, eventIds: readonly string[]): Promise<void> {
  const numbered = await sql<{ id: string }>`
    select id from events
    where environment_id = ${tx.environment.id} and id = any (${eventIds}::uuid[]) and list_position is not null
    order by list_position`.execute(tx);
  if (numbered.rows.length === 0) return;
  const first = await takePositions(tx, resendList, numbered.rows.length);
  // A statement of its own, after the counter is locked: it sees every event that an earlier resend has seen.
  await sql`
    insert into event_resends (environment_id, list_position, event_id, after_event, created_at)
    select ${tx.environment.id}, ${first}::bigint + w.turn - 1, w.id, c.total, ${tx.environment.clock.now()}
    from unnest(${numbered.rows.map(({ id }) => id)}::uuid[]) with ordinality as w (id, turn)
    join list_counters c on c.environment_id = ${tx.environment.id} and c.resource = ${eventList}`.execute(tx);
}
