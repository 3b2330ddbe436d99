/**
 * Lists of transfers. Without a filter a page is a range of list positions and costs the same anywhere. With one, the
 * matches are counted over an index: ids carry the time of their making; status, bank and amount of final transfers
 * have an index each, which a transfer enters once, when it ends; open transfers are few and found through the worker's
 * queue and what it handed to the agenda.
 */
import { type RawBuilder, sql } from "kysely";
import type { Kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { earliestIdFrom, idBeyond } from "../platform/database/ids.ts";
import type { PositionRange } from "../platform/records/pagination.ts";
import type { Transfer, TransferStatus } from "./transfer.ts";
import { type TransferRow, toTransfer, transferColumns } from "./transfer-store.ts";

export interface TransferFilter {
  readonly id: string | null;
  readonly statuses: readonly TransferStatus[] | null;
  readonly bankCode: string | null;
  /** Both count in. */
  readonly minAmount: Kobo | null;
  readonly maxAmount: Kobo | null;
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

const isOpen = (status: TransferStatus): boolean => status === "pending" || status === "processing";

/** Where to look: the parts do not overlap, and each has an index of its own. */
function sourceOf(tx: Tx, { id, statuses, bankCode, minAmount, maxAmount }: TransferFilter): RawBuilder<unknown> {
  const narrow = bankCode !== null || minAmount !== null || maxAmount !== null;
  if (id !== null || (statuses === null && !narrow)) return sql`transfers`;
  const part = (condition: RawBuilder<unknown>) =>
    sql`select * from transfers where environment_id = ${tx.environment.id} and purpose = 'payout' and ${condition}`;
  const parts: RawBuilder<unknown>[] = [];
  if (statuses === null || !statuses.every(isOpen)) parts.push(part(sql`completed_at is not null`));
  if (statuses === null || statuses.some(isOpen)) {
    parts.push(part(sql`claim_at is not null and completed_at is null`));
    parts.push(part(sql`claim_at is null and completed_at is null`));
  }
  return sql`(${sql.join(parts, sql` union all `)})`;
}

function conditionOf(tx: Tx, filter: TransferFilter): RawBuilder<unknown> {
  const { id, statuses, bankCode, minAmount, maxAmount, from, to } = filter;
  const parts = [sql`t.environment_id = ${tx.environment.id} and t.purpose = 'payout'`];
  if (id !== null) parts.push(sql`t.id = ${id}::uuid`);
  if (statuses !== null) parts.push(sql`t.status in (${sql.join(statuses)})`);
  if (bankCode !== null) parts.push(sql`t.bank_code = ${bankCode}`);
  if (minAmount !== null) parts.push(sql`t.amount >= ${minAmount}`);
  if (maxAmount !== null) parts.push(sql`t.amount <= ${maxAmount}`);
  if (from !== null) parts.push(sql`t.created_at >= ${from} and t.id >= ${earliestIdFrom(from)}::uuid`);
  if (to !== null) parts.push(sql`t.created_at < ${to} and t.id < ${idBeyond(to)}::uuid`);
  return sql.join(parts, sql` and `);
}
