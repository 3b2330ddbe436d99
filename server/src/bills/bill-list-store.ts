/**
 * Lists of bills. Without a filter a page is a range of list positions and costs the same anywhere. With one, the
 * matches are counted over an index: ids carry the time of their making, final states have an index of their own, and
 * open bills are few and found through the worker's queue and what it handed to the agenda.
 */
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import { earliestIdFrom, idBeyond } from "../platform/database/ids.ts";
import type { PositionRange } from "../platform/records/pagination.ts";
import type { BillCategory } from "../rails/biller.ts";
import type { Bill, BillStatus } from "./bill.ts";
import { type BillRow, billColumnList, billColumns, toBill } from "./bill-store.ts";

export interface BillFilter {
  readonly id: string | null;
  readonly status: BillStatus | null;
  readonly category: BillCategory | null;
  /** In the environment's time; `from` counts in, `to` does not. */
  readonly from: Date | null;
  readonly to: Date | null;
}

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
  const counted = await sql<{ total: bigint }>`
    select count(*) as total from ${sourceOf(tx, filter)} b where ${conditionOf(tx, filter)}`.execute(tx);
  return counted.rows[0]?.total ?? 0n;
}

export async function readMatching(
  tx: Tx,
  filter: BillFilter,
  page: { readonly skip: bigint; readonly limit: number },
): Promise<Bill[]> {
  const found = await sql<BillRow>`
    select ${billColumnList} from ${sourceOf(tx, filter)} b where ${conditionOf(tx, filter)}
    order by b.list_position desc limit ${page.limit} offset ${page.skip}`.execute(tx);
  return found.rows.map(toBill);
}

/** Where to look: each part of the union has a small index of its own. */
function sourceOf(tx: Tx, { status }: BillFilter): RawBuilder<unknown> {
  if (!isOpen(status)) return sql`bills`;
  const environmentId = tx.environment.id;
  return sql`(
    select * from bills where environment_id = ${environmentId} and claim_at is not null
    union all
    select * from bills where environment_id = ${environmentId} and claim_at is null and completed_at is null)`;
}

function conditionOf(tx: Tx, { id, status, category, from, to }: BillFilter): RawBuilder<unknown> {
  const parts = [sql`b.environment_id = ${tx.environment.id}`];
  if (id !== null) parts.push(sql`b.id = ${id}::uuid`);
  if (status !== null) parts.push(sql`b.status = ${status}`);
  if (status !== null && !isOpen(status)) parts.push(sql`b.completed_at is not null`);
  if (category !== null) parts.push(sql`b.category = ${category}`);
  if (from !== null) parts.push(sql`b.created_at >= ${from} and b.id >= ${earliestIdFrom(from)}::uuid`);
  if (to !== null) parts.push(sql`b.created_at < ${to} and b.id < ${idBeyond(to)}::uuid`);
  return sql.join(parts, sql` and `);
}

function isOpen(status: BillStatus | null): boolean {
  return status === "pending" || status === "processing";
}
