/** Orders of one environment that a rail has not told the outcome of for long: what an overview says of them. */
import type { Tx } from "../platform/database/database.ts";
import type { Attention } from "../platform/records/overview.ts";
import { findWaiting, type OrderTable } from "./waiting-store.ts";

/** Most outcomes are there within seconds; a person looks at what took longer than this. */
const patienceMs = 10 * 60_000;

interface WaitingOrders {
  readonly table: OrderTable;
  readonly kind: string;
  title(count: number): string;
}

export async function readWaitingOrders(tx: Tx, { table, kind, title }: WaitingOrders): Promise<Attention[]> {
  const found = await findWaiting(tx, table, tx.environment.clock.after(-patienceMs));
  if (found === undefined) return [];
  const { count, amount, oldest } = found;
  return [{ kind, title: title(count), count, since: oldest[0]?.since ?? null, amount, items: oldest }];
}
