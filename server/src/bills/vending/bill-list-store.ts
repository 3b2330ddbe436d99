/** Lists of bills (`platform/records/counted-list.ts`). */
import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import { type CountedList, type ListQuestion, readList } from "../../platform/records/counted-list.ts";
import type { PageRequest } from "../../platform/records/pagination.ts";
import type { BillCategory } from "../../rails/biller.ts";
import { type Bill, billList, billStatuses } from "./bill.ts";
import { type BillRow, billColumns, toBill } from "./bill-store.ts";

const bills: CountedList<Bill, BillRow> = {
  table: "bills",
  columns: billColumns,
  toRecord: toBill,
  resource: billList,
  only: sql`true`,
  statuses: billStatuses,
  open: ["pending", "processing"],
};

/** One page of the environment's bills, newest first. */
export function listBills(
  tx: Tx,
  { category, ...question }: ListQuestion & { readonly category: BillCategory | null },
  page: PageRequest,
) {
  const further = category === null ? [] : [sql`t.category = ${category}`];
  return readList(tx, bills, { ...question, further }, page);
}
