/**
 * Lists of transfers. Without a filter a page is a range of list positions and costs the same anywhere. By status, by
 * time or by both, totals are kept and not counted (`platform/records/counted-list.ts` says what still grows). A filter
 * by bank or amount, alone or with others, counts its matches over an index, which a transfer enters when it ends.
 */
import { type RawBuilder, sql } from "kysely";
import type { Kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { keysOf } from "../platform/keys-of.ts";
import { type CountedList, keptIds, keptTotal, type Skipping, within } from "../platform/records/counted-list.ts";
import type { PositionRange } from "../platform/records/pagination.ts";
import { payoutList, type Transfer, type TransferStatus, transferTransitions } from "./transfer.ts";
import { type TransferRow, toTransfer, transferColumnList, transferColumns } from "./transfer-store.ts";

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

const payouts: CountedList = {
  table: "transfers",
  resource: payoutList,
  only: sql`t.purpose = 'payout'`,
  open: ["pending", "processing"],
};

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
  const total = isKept(filter)
    ? keptTotal(tx, payouts, narrowed(filter))
    : sql`(select count(*) from (${matchingIds(tx, filter)}) c)`;
  const counted = await sql<{ total: bigint }>`select ${total} as total`.execute(tx);
  return counted.rows[0]?.total ?? 0n;
}

/** The page is found by ids alone, which an index has; only its own rows are read. */
export async function readMatching(tx: Tx, filter: TransferFilter, page: Skipping): Promise<Transfer[]> {
  const ids = isKept(filter) ? keptIds(tx, payouts, narrowed(filter), page) : matchingIds(tx, filter);
  const found = await sql<TransferRow>`
    select ${transferColumnList} from (
      select m.id from (${ids}) m order by m.id desc limit ${page.limit} offset ${page.skip}) p
    join transfers t on t.environment_id = ${tx.environment.id} and t.id = p.id
    order by t.list_position desc limit ${page.limit}`.execute(tx);
  return found.rows.map(toTransfer);
}

const allStatuses = keysOf(transferTransitions);
const isOpen = (status: TransferStatus): boolean => payouts.open.includes(status);

function narrowed({ statuses, from, to }: TransferFilter) {
  return { statuses: statuses ?? allStatuses, from, to };
}

/** Whether the counts of final transfers answer it. */
function isKept({ id, bankCode, minAmount, maxAmount }: TransferFilter): boolean {
  return id === null && bankCode === null && minAmount === null && maxAmount === null;
}

/** For a bank or an amount, or one transfer by its id. The parts do not overlap, and each has an index of its own. */
function matchingIds(tx: Tx, filter: TransferFilter): RawBuilder<unknown> {
  const { id, bankCode, minAmount, maxAmount } = filter;
  const { statuses } = narrowed(filter);
  const conditions = [within(tx, payouts, filter), sql`t.status in (${sql.join(statuses)})`];
  if (id !== null) conditions.push(sql`t.id = ${id}::uuid`);
  if (bankCode !== null) conditions.push(sql`t.bank_code = ${bankCode}`);
  if (minAmount !== null) conditions.push(sql`t.amount >= ${minAmount}`);
  if (maxAmount !== null) conditions.push(sql`t.amount <= ${maxAmount}`);
  const parts: RawBuilder<unknown>[] = [];
  if (!statuses.every(isOpen)) parts.push(sql`t.completed_at is not null`);
  if (statuses.some(isOpen)) {
    parts.push(sql`t.claim_at is not null and t.completed_at is null`);
    parts.push(sql`t.claim_at is null and t.completed_at is null`);
  }
  const matches = sql.join(conditions, sql` and `);
  return sql.join(
    parts.map((part) => sql`select t.id from transfers t where ${part} and ${matches}`),
    sql` union all `,
  );
}
