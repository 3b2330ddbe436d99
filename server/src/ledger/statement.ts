/**
 * The statement of an account with a floor: its entries, newest first, each with the balance after it. Entries are
 * numbered without gaps, so any page is a range of numbers and costs the same.
 */
import { sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database.ts";

export interface StatementLine {
  readonly transactionId: string;
  readonly accountId: string;
  readonly kind: string;
  readonly amount: Kobo;
  readonly balanceAfter: Kobo;
  readonly narration: string | null;
  readonly resource: { readonly type: string; readonly id: string; readonly reference: string | null };
  readonly postedAt: Date;
  /** The entry's number in its account, from 1. */
  readonly number: bigint;
}

/** How many entries the account has, which is also the number of the newest. */
export async function countEntries(tx: Tx, accountId: string): Promise<bigint> {
  const row = await tx
    .selectFrom("accounts")
    .select("entry_count")
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", accountId)
    .executeTakeFirst();
  return row?.entry_count ?? 0n;
}

/** The lines numbered `first` to `last`, newest first. */
export async function readStatement(
  tx: Tx,
  accountId: string,
  range: { readonly first: bigint; readonly last: bigint },
): Promise<StatementLine[]> {
  const result = await sql<StatementRow>`
    select e.transaction_id, e.account_id, t.kind, e.amount, e.balance_after, t.narration, t.resource_type,
      t.resource_id, t.reference, e.posted_at, e.account_entry
    from entries e
    join ledger_transactions t on t.environment_id = e.environment_id and t.id = e.transaction_id
    where e.environment_id = ${tx.environment.id} and e.account_id = ${accountId}
      and e.account_entry between ${range.first} and ${range.last}
    order by e.account_entry desc
    limit 1000`.execute(tx);
  return result.rows.map(toLine);
}

/**
 * The numbers of the first and last entry in a span of the environment's time. Entry times rise with their numbers
 * but for the differences between servers' clocks, hence the bounds are looked for by time and not by bisection.
 */
export async function findStatementRange(
  tx: Tx,
  accountId: string,
  span: { readonly from: Date | null; readonly to: Date | null },
): Promise<{ first: bigint; last: bigint } | null> {
  const result = await sql<{ first: bigint | null; last: bigint | null }>`
    select min(e.account_entry) as first, max(e.account_entry) as last from entries e
    where e.environment_id = ${tx.environment.id} and e.account_id = ${accountId} and e.account_entry is not null
      and e.posted_at >= coalesce(${span.from}::timestamptz, '-infinity')
      and e.posted_at < coalesce(${span.to}::timestamptz, 'infinity')`.execute(tx);
  const row = result.rows[0];
  if (row === undefined || row.first === null || row.last === null) return null;
  return { first: row.first, last: row.last };
}

interface StatementRow {
  readonly transaction_id: string;
  readonly account_id: string;
  readonly kind: string;
  readonly amount: bigint;
  readonly balance_after: bigint;
  readonly narration: string | null;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly reference: string | null;
  readonly posted_at: Date;
  readonly account_entry: bigint;
}

function toLine(row: StatementRow): StatementLine {
  return {
    transactionId: row.transaction_id,
    accountId: row.account_id,
    kind: row.kind,
    amount: kobo(row.amount),
    balanceAfter: kobo(row.balance_after),
    narration: row.narration,
    resource: { type: row.resource_type, id: row.resource_id, reference: row.reference },
    postedAt: row.posted_at,
    number: row.account_entry,
  };
}
