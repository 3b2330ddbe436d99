/**
 * Lists of loan requests. Without a filter a page is a range of list positions. With one, the matches are counted over
 * an index: a status has one of its own, and ids carry the time of their making.
 */
import { type RawBuilder, sql } from "kysely";
import type { LoanStatus } from "../lending/account/loan-account.ts";
import type { Tx } from "../platform/database/database.ts";
import { earliestIdFrom, idBeyond } from "../platform/database/ids.ts";
import type { PositionRange } from "../platform/records/pagination.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import type { LoanRequest } from "./loan-request.ts";
import { selectLoans, toLoan } from "./loan-store.ts";

export interface LoanFilter {
  readonly status: LoanStatus | null;
  /** In the environment's time; `from` counts in, `to` does not. */
  readonly from: Date | null;
  readonly to: Date | null;
}

export async function readLoans(tx: Tx, sealer: Sealer, range: PositionRange): Promise<LoanRequest[]> {
  const rows = await selectLoans(tx)
    .where("r.list_position", ">=", range.first)
    .where("r.list_position", "<=", range.last)
    .orderBy("r.list_position", "desc")
    .limit(100)
    .execute();
  return rows.map((row) => toLoan(tx, sealer, row));
}

export async function countLoans(tx: Tx, filter: LoanFilter): Promise<bigint> {
  const counted = await sql<{ total: bigint }>`
    select count(*) as total from loan_requests r
    where r.environment_id = ${tx.environment.id} and ${conditionOf(filter)}`.execute(tx);
  return counted.rows[0]?.total ?? 0n;
}

export async function readMatchingLoans(
  tx: Tx,
  sealer: Sealer,
  filter: LoanFilter,
  page: { readonly skip: bigint; readonly limit: number },
): Promise<LoanRequest[]> {
  const rows = await selectLoans(tx)
    .where(conditionOf(filter))
    .orderBy("r.list_position", "desc")
    .limit(page.limit)
    .offset(page.skip)
    .execute();
  return rows.map((row) => toLoan(tx, sealer, row));
}

function conditionOf({ status, from, to }: LoanFilter): RawBuilder<boolean> {
  const parts = [sql`true`];
  if (status !== null) parts.push(sql`r.status = ${status}`);
  if (from !== null) parts.push(sql`r.created_at >= ${from} and r.id >= ${earliestIdFrom(from)}::uuid`);
  if (to !== null) parts.push(sql`r.created_at < ${to} and r.id < ${idBeyond(to)}::uuid`);
  return sql<boolean>`(${sql.join(parts, sql` and `)})`;
}
