import type { Tx } from "../platform/database/database.ts";
import { type PageRequest, type Pagination, paginationOf, readPage } from "../platform/records/pagination.ts";
import { findByReference } from "../platform/records/reference-claims.ts";
import { payoutList, type Transfer } from "./transfer.ts";
import { countMatching, readMatching, readTransfers, type TransferFilter } from "./transfer-list-store.ts";

export interface TransferQuestion extends Omit<TransferFilter, "id"> {
  readonly reference: string | null;
}

/** Whether nothing is left out. */
export function isOfAll(question: TransferQuestion): boolean {
  return Object.values(question).every((value) => value === null);
}

/** One page of the environment's transfers, newest first. */
export async function listTransfers(
  tx: Tx,
  { reference, ...asked }: TransferQuestion,
  page: PageRequest,
): Promise<{ rows: Transfer[]; pagination: Pagination }> {
  const id = reference === null ? null : await findByReference(tx, payoutList, reference);
  if (reference !== null && id === null) return { rows: [], pagination: paginationOf(0n, page.page, page.limit) };
  const filter: TransferFilter = { id, ...asked };
  if (Object.values(filter).every((value) => value === null)) {
    return readPage(tx, payoutList, page, (range) => readTransfers(tx, range));
  }
  const total = await countMatching(tx, filter);
  const skip = BigInt(page.page - 1) * BigInt(page.limit);
  const rows = skip >= total ? [] : await readMatching(tx, filter, { skip, limit: page.limit });
  return { rows, pagination: paginationOf(total, page.page, page.limit) };
}
