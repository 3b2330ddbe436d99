/** By what a provider knows an order. What it has told once is not forgotten when a later answer leaves it out. */
import { sql } from "kysely";
import { type Kobo, kobo } from "../../money/kobo.ts";
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

export interface KnownAtProvider extends TracedOrder {
  readonly at: Date;
  readonly providerReference: string | null;
  readonly networkSessionId: string | null;
  readonly fee: Kobo | null;
}

/** All that providers told about these orders of the environment. */
export async function readTracesOf(tx: Tx, orderIds: readonly string[]): Promise<KnownAtProvider[]> {
  const found = await sql<KnownAtProvider>`
    select t.connection_id as "connectionId", t.port, t.order_id as "orderId", t.updated_at as at,
      t.provider_reference as "providerReference", t.network_session_id as "networkSessionId", t.fee
    from rail_traces t
    where t.environment_id = ${tx.environment.id} and t.order_id = any (${orderIds}::text[])
    order by t.updated_at, t.order_id limit 500`.execute(tx);
  return found.rows;
}
