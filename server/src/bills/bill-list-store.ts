/**
 * Lists of bills. Without a filter a page is a range of list positions and costs the same anywhere. By status, by time
 * or by both, totals are kept and not counted (`platform/records/counted-list.ts` says what still grows). A filter by
 * category, alone or with others, counts its matches.
 */
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import { type CountedList, keptIds, keptTotal, type Skipping, within } from "../platform/records/counted-list.ts";
import type { PositionRange } from "../platform/records/pagination.ts";
import type { BillCategory } from "../rails/biller.ts";
import { type Bill, type BillStatus, billList, billStatuses } from "./bill.ts";
import { type BillRow, billColumnList, billColumns, toBill } from "./bill-store.ts";

export interface BillFilter {
  readonly id: string | null;
  readonly status: BillStatus | null;
  readonly category: BillCategory | null;
  /** In the environment's time; `from` counts in, `to` does not. */
  readonly from: Date | null;
  readonly to: Date | null;
}

const bills: CountedList = { table: "bills", resource: billList, only: sql`true`, open: ["pending", "processing"] };

export async function readBills(tx: Tx, range: PositionRange): Promise<Bill[]> {
  const rows = await tx
    .selectFrom("bills")
    .select(billColumns)
    .where("environment_id", "=", tx.environment.id)
    .where("list_position", ">=", range.first)
    .where("list_position", "<=", range.last)
    .orderBy("list_position", "desc")
    .limit(100)
    .execute();
  return rows.map(toBill);
}

export async function countMatching(tx: Tx, filter: BillFilter): Promise<bigint> {
  const total = isKept(filter)
    ? keptTotal(tx, bills, narrowed(filter))
    : sql`(select count(*) from (${matchingIds(tx, filter)}) c)`;
  const counted = await sql<{ total: bigint }>`select ${total} as total`.execute(tx);
  return counted.rows[0]?.total ?? 0n;
}

/** The page is found by ids alone, which an index has; only its own rows are read. */
export async function readMatching(tx: Tx, filter: BillFilter, page: Skipping): Promise<Bill[]> {
  const ids = isKept(filter) ? keptIds(tx, bills, narrowed(filter), page) : matchingIds(tx, filter);
  const found = await sql<BillRow>`
    select ${billColumnList} from (
      select m.id from (${ids}) m order by m.id desc limit ${page.limit} offset ${page.skip}) p
    join bills b on b.environment_id = ${tx.environment.id} and b.id = p.id
    order by b.list_position desc limit ${page.limit}`.execute(tx);
  return found.rows.map(toBill);
}

function narrowed({ status, from, to }: BillFilter) {
  return { statuses: status === null ? billStatuses : [status], from, to };
}

/** Whether the counts of final bills answer it. */
function isKept({ id, category }: BillFilter): boolean {
  return id === null && category === null;
}

/** For a category, or one bill by its id. Of open bills each part has a small index of its own. */
function matchingIds(tx: Tx, filter: BillFilter): RawBuilder<unknown> {
  const { id, status, category } = filter;
  const conditions = [within(tx, bills, filter)];
  if (id !== null) conditions.push(sql`t.id = ${id}::uuid`);
  if (status !== null) conditions.push(sql`t.status = ${status}`);
  if (category !== null) conditions.push(sql`t.category = ${category}`);
  const matches = sql.join(conditions, sql` and `);
  const part = (held: RawBuilder<unknown>) => sql`select t.id from bills t where ${held} and ${matches}`;
  if (status === null) return part(sql`true`);
  if (!bills.open.includes(status)) return part(sql`t.completed_at is not null`);
  const handed = part(sql`t.claim_at is null and t.completed_at is null`);
  return sql`${part(sql`t.claim_at is not null`)} union all ${handed}`;
}
