/** By what a provider knows an order. What it has told once is not forgotten when a later answer leaves it out. */
import { sql } from "kysely";
import { kobo } from "../../money/kobo.ts";
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

export async function findTrace(tx: Tx, { connectionId, port, orderId }: TracedOrder): Promise<RailTrace> {
  const row = await tx
    .selectFrom("rail_traces")
    .select(["provider_reference", "network_session_id", "fee"])
    .where("environment_id", "=", tx.environment.id)
    .where("connection_id", "=", connectionId)
    .where("port", "=", port)
    .where("order_id", "=", orderId)
    .executeTakeFirst();
  return {
    ...(row?.provider_reference == null ? {} : { providerReference: row.provider_reference }),
    ...(row?.network_session_id == null ? {} : { networkSessionId: row.network_session_id }),
    ...(row?.fee == null ? {} : { fee: kobo(row.fee) }),
  };
}
