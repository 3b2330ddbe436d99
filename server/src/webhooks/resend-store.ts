/** Writes down that events were sent again, for readers of the feed who ask for that. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import { takePositions } from "../platform/records/pagination.ts";
import { eventList } from "./event-log-store.ts";

/** The list's counter. It stays locked until commit, so positions become visible in their order. */
export const resendList = "event_resends";

/** In the order of the log. An event without a position is left out: it is still to come for the first time. */
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
