/**
 * Orders of one kind over all environments, read from the view in which a kind shows its records as orders:
 * `orders_of_<kind>`, a file beside the kind's store. A new kind brings its view and no function.
 */
import { type RawBuilder, sql } from "kysely";
import type { Database, Tx } from "../platform/database/database.ts";
import { recordsById, type SweepSource } from "../platform/work/sweeper.ts";

export interface NamedOrder {
  readonly connectionId: string;
  /** Ours, by which the provider knows it. */
  readonly orderId: string;
}

/** Whose order it is that a provider names, on its own connection. */
export async function findOrderOfConnection(
  db: Database,
  kind: string,
  { connectionId, orderId }: NamedOrder,
): Promise<{ readonly environmentId: string; readonly id: string } | undefined> {
  const found = await sql<{ environmentId: string; id: string }>`
    select environment_id as "environmentId", id
    from find_order_of_connection(${kind}, ${connectionId}::uuid, ${orderId})`.execute(db);
  return found.rows[0];
}

/** Open orders that no worker holds, for the sweeper; `task` takes one further that nothing else will. */
export function idleOrders(kind: string, step: "waiting" | "sent", task: string): SweepSource {
  return recordsById({ name: `${kind}: ${step}`, kind: task }, "find_idle_orders", kind, step);
}

/**
 * The rail has not settled them: notes that it was asked. How often by now, by id; without those that have ended
 * meanwhile. `besides` is what else a question changes in the row.
 */
export async function countQueries(
  tx: Tx,
  table: string,
  orders: readonly { readonly id: string }[],
  besides?: RawBuilder<unknown>,
): Promise<Map<string, number>> {
  const counted = await sql<{ id: string; queries: number }>`
    update ${sql.table(table)} set queries = queries + 1${besides === undefined ? sql`` : sql`, ${besides}`}
    where environment_id = ${tx.environment.id} and id = any (${orders.map(({ id }) => id)}::uuid[])
      and status = 'processing'
    returning id, queries`.execute(tx);
  return new Map(counted.rows.map(({ id, queries }) => [id, queries]));
}
