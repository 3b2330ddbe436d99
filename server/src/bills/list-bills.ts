import type { Tx } from "../platform/database/database.ts";
import { type PageRequest, type Pagination, paginationOf, readPage } from "../platform/records/pagination.ts";
import { findByReference } from "../platform/records/reference-claims.ts";
import { type Bill, billList } from "./bill.ts";
import { type BillFilter, countMatching, readBills, readMatching } from "./bill-list-store.ts";

export interface BillQuestion extends Omit<BillFilter, "id"> {
  readonly reference: string | null;
}

/** One page of the environment's bills, newest first. */
export async function listBills(
  tx: Tx,
  { reference, ...asked }: BillQuestion,
  page: PageRequest,
): Promise<{ rows: Bill[]; pagination: Pagination }> {
  const id = reference === null ? null : await findByReference(tx, billList, reference);
  if (reference !== null && id === null) return { rows: [], pagination: paginationOf(0n, page.page, page.limit) };
  const filter: BillFilter = { id, ...asked };
  if (Object.values(filter).every((value) => value === null)) {
    return readPage(tx, billList, page, (range) => readBills(tx, range));
  }
  const total = await countMatching(tx, filter);
  const skip = BigInt(page.page - 1) * BigInt(page.limit);
  const rows = skip >= total ? [] : await readMatching(tx, filter, { skip, limit: page.limit });
  return { rows, pagination: paginationOf(total, page.page, page.limit) };
}
