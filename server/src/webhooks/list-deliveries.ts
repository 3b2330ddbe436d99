import type { Tx } from "../platform/database/database.ts";
import { type PageRequest, type Pagination, paginationOf } from "../platform/records/pagination.ts";
import { countDeliveries, type LoggedDelivery, readDeliveries } from "./delivery-log-store.ts";
import { requireEvent } from "./list-events.ts";

/** One page of what became of an event, newest endpoint first. */
export async function listDeliveries(
  tx: Tx,
  eventId: string,
  { page, limit }: PageRequest,
): Promise<{ rows: LoggedDelivery[]; pagination: Pagination }> {
  await requireEvent(tx, eventId);
  const total = await countDeliveries(tx, eventId);
  const skip = BigInt(page - 1) * BigInt(limit);
  const rows = skip >= total ? [] : await readDeliveries(tx, eventId, { skip, limit });
  return { rows, pagination: paginationOf(total, page, limit) };
}
