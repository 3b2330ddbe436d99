/** By what a provider knows an order. What it has told once is not forgotten when a later answer leaves it out. */
import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import type { RailTrace } from "../answer.ts";
import type { Port } from "../provider.ts";

export interface TracedOrder {
  readonly connectionId: string;
  readonly port: Port;
  /** Our id at the rail: a session, a request, a charge. */
  readonly orderId: string;
}

export async function recordTrace(tx: Tx, { connectionId, port, orderId }: TracedOrder, trace: RailTrace) {
  const { providerReference = null, networkSessionId = null, fee = null } = trace;
  await sql`
    insert into rail_traces as t (environment_id, connection_id, port, order_id, provider_reference,
      network_session_id, fee)
    values (${tx.environment.id}, ${connectionId}, ${port}, ${orderId}, ${providerReference}, ${networkSessionId},
      ${fee}::bigint)
    on conflict (environment_id, connection_id, port, order_id) do update set
      provider_reference = coalesce(excluded.provider_reference, t.provider_reference),
      network_session_id = coalesce(excluded.network_session_id, t.network_session_id),
      fee = coalesce(excluded.fee, t.fee), updated_at = clock_timestamp()`.execute(tx);
}
