/**
 * Lists of transfers. Without a filter a page is a range of list positions and costs the same anywhere. With one, the
 * matches are counted over an index: ids carry the time of their making, final states have an index of their own, and
 * open transfers are few and found through the worker's queue and what it handed to the agenda.
 */
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import { earliestIdFrom, idBeyond } from "../platform/database/ids.ts";
import type { PositionRange } from "../platform/records/pagination.ts";
import type { Transfer, TransferStatus } from "./transfer.ts";
import { type TransferRow, toTransfer, transferColumns } from "./transfer-store.ts";

export interface TransferFilter {
  readonly id: string | null;
  readonly status: TransferStatus | null;
  /** In the environment's time; `from` counts in, `to` does not. */
  readonly from: Date | null;
  readonly to: Date | null;
}

export async function readTransfers(tx: Tx, range: PositionRange): Promise<Transfer[]> {
  const rows = await tx
    .selectFrom("transfers")
    .select(transferColumns)
    .where("environment_id", "=", tx.environment.id)
    .where("list_position", ">=", range.first)
    .where("list_position", "<=", range.last)
    .orderBy("list_position", "desc")
    .limit(100)
    .execute();
  return rows.map(toTransfer);
}

export async function countMatching(tx: Tx, filter: TransferFilter): Promise<bigint> {
  const counted = await sql<{ total: bigint }>`
    select count(*) as total from ${sourceOf(tx, filter)} t where ${conditionOf(tx, filter)}`.execute(tx);
  return counted.rows[0]?.total ?? 0n;
}

export async function readMatching(
  tx: Tx,
  filter: TransferFilter,
  page: { readonly skip: bigint; readonly limit: number },
): Promise<Transfer[]> {
  const columns = sql.join(transferColumns.map((column) => sql.ref(`t.${column}`)));
  const found = await sql<TransferRow>`
    select ${columns} from ${sourceOf(tx, filter)} t where ${conditionOf(tx, filter)}
    order by t.id desc limit ${page.limit} offset ${page.skip}`.execute(tx);
  return found.rows.map(toTransfer);
}

/** Where to look: each part of the union has a small index of its own. */
function sourceOf(tx: Tx, { status }: TransferFilter): RawBuilder<unknown> {
  if (status !== "pending" && status !== "processing") return sql`transfers`;
  const environmentId = tx.environment.id;
  return sql`(
    select * from transfers where environment_id = ${environmentId} and claim_at is not null
    union all
    select * from transfers where environment_id = ${environmentId} and claim_at is null and completed_at is null)`;
}

function conditionOf(tx: Tx, { id, status, from, to }: TransferFilter): RawBuilder<unknown> {
  const parts = [sql`t.environment_id = ${tx.environment.id} and t.purpose = 'payout'`];
  if (id !== null) parts.push(sql`t.id = ${id}::uuid`);
  if (status !== null) parts.push(sql`t.status = ${status}`);
  if (status !== null && status !== "pending" && status !== "processing") parts.push(sql`t.completed_at is not null`);
  if (from !== null) parts.push(sql`t.created_at >= ${from} and t.id >= ${earliestIdFrom(from)}::uuid`);
  if (to !== null) parts.push(sql`t.created_at < ${to} and t.id < ${idBeyond(to)}::uuid`);
  return sql.join(parts, sql` and `);
}
