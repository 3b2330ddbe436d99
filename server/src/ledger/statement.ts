/**
 * The statement of an account with a floor: its entries, newest first, each with the balance after it. Entries are
 * numbered without gaps, so any page is a range of numbers and costs the same.
 */
import { type RawBuilder, sql } from "kysely";
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
  const result = await sql<StatementRow>`${lines(tx)}
      and e.account_id = ${accountId} and e.account_entry between ${range.first} and ${range.last}
    order by e.account_entry desc
    limit 1000`.execute(tx);
  return result.rows.map(toLine);
}

/** A span of the environment's time; `to` itself is outside it, and null means no bound. */
export interface TimeSpan {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Where a span's entries lie and how many they are. */
export interface SpanExtent {
  readonly first: bigint;
  readonly last: bigint;
  readonly count: bigint;
}

/**
 * Times rise with the numbers, but not strictly: servers' clocks differ, and a sandbox's clock can be set back. Hence
 * a span is counted over the account's index and not found by bisection.
 */
export async function findSpan(tx: Tx, accountId: string, span: TimeSpan): Promise<SpanExtent> {
  const result = await sql<{ first: bigint | null; last: bigint | null; count: bigint }>`
    select min(e.account_entry) as first, max(e.account_entry) as last, count(*) as count from entries e
    where e.environment_id = ${tx.environment.id} and e.account_id = ${accountId} and e.account_entry is not null
      and ${within(span)}`.execute(tx);
  const row = result.rows[0];
  return { first: row?.first ?? 1n, last: row?.last ?? 0n, count: row?.count ?? 0n };
}

/** Up to `limit` lines of the span between two numbers, newest first, after leaving out `skip`. */
export async function readSpan(
  tx: Tx,
  accountId: string,
  page: TimeSpan & { readonly first: bigint; readonly last: bigint; readonly skip: bigint; readonly limit: number },
): Promise<StatementLine[]> {
  const result = await sql<StatementRow>`${lines(tx)}
      and e.account_id = ${accountId} and e.account_entry between ${page.first} and ${page.last} and ${within(page)}
    order by e.account_entry desc
    limit ${page.limit} offset ${page.skip}`.execute(tx);
  return result.rows.map(toLine);
}

/** The newest line. Who has just posted holds the account's lock, so it is theirs. */
export async function readNewestLine(tx: Tx, accountId: string): Promise<StatementLine | undefined> {
  const newest = await countEntries(tx, accountId);
  return (await readStatement(tx, accountId, { first: newest, last: newest }))[0];
}

/** The line that a transaction left on the account. */
export async function findStatementLine(
  tx: Tx,
  accountId: string,
  transactionId: string,
): Promise<StatementLine | undefined> {
  const result = await sql<StatementRow>`${lines(tx)}
      and e.account_id = ${accountId} and e.transaction_id = ${transactionId}
    limit 1`.execute(tx);
  return result.rows.map(toLine)[0];
}

function lines(tx: Tx): RawBuilder<unknown> {
  return sql`
    select e.transaction_id, e.account_id, t.kind, e.amount, e.balance_after, t.narration, t.resource_type,
      coalesce(t.resource_id, t.id) as resource_id, t.reference, e.posted_at, e.account_entry
    from entries e
    join ledger_transactions t on t.environment_id = e.environment_id and t.id = e.transaction_id
    where e.environment_id = ${tx.environment.id}`;
}

function within({ from, to }: TimeSpan): RawBuilder<unknown> {
  return sql`e.posted_at >= coalesce(${from}::timestamptz, '-infinity')
      and e.posted_at < coalesce(${to}::timestamptz, 'infinity')`;
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
