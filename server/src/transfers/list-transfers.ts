import type { Tx } from "../platform/database.ts";
import { type PageRequest, type Pagination, paginationOf, readPage } from "../platform/pagination.ts";
import { payoutList, type Transfer } from "./transfer.ts";
import { countMatching, readMatching, readTransfers, type TransferFilter } from "./transfer-list-store.ts";

/** One page of the environment's transfers, newest first. */
export async function listTransfers(
  tx: Tx,
  filter: TransferFilter,
  page: PageRequest,
): Promise<{ rows: Transfer[]; pagination: Pagination }> {
  if (filter.status === null && filter.from === null && filter.to === null) {
    return readPage(tx, payoutList, page, (range) => readTransfers(tx, range));
  }
  const total = await countMatching(tx, filter);
  const skip = BigInt(page.page - 1) * BigInt(page.limit);
  const rows = skip >= total ? [] : await readMatching(tx, filter, { skip, limit: page.limit });
  return { rows, pagination: paginationOf(total, page.page, page.limit) };
}
