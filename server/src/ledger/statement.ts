/**
 * The statement of an account with a floor: its entries, newest first, each with the balance after it. Entries are
 * numbered without gaps, so any page is a range of numbers and costs the same.
 */
import { type RawBuilder, sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";

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

/** The numbers of a span's entries. `last` is below `first` when there are none. */
export interface SpanExtent {
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * A cut is a range of numbers, so that it is always a chain: each balance is the one before it and an amount. Times
 * rise with the numbers, but not strictly: a transaction takes its time before it waits for the account, and a
 * sandbox's clock can be set back. An entry is before a moment when it, or one with a higher number, was posted
 * before it: the end of one cut is the beginning of the next, and what was posted last is found by its own time. One
 * statement finds both ends, so nothing is posted in between; it reads from the newest entry down.
 */
export async function findSpan(tx: Tx, accountId: string, { from, to }: TimeSpan): Promise<SpanExtent> {
  const lastBefore = (moment: Date): RawBuilder<bigint> => sql`coalesce((
    select e.account_entry from entries e
    where e.environment_id = ${tx.environment.id} and e.account_id = ${accountId} and e.account_entry is not null
      and e.posted_at < ${moment}
    order by e.account_entry desc limit 1), 0)`;
  const newest = sql`coalesce((
    select a.entry_count from accounts a where a.environment_id = ${tx.environment.id} and a.id = ${accountId}), 0)`;
  const result = await sql<{ first: bigint; last: bigint }>`
    select ${from === null ? sql`0::bigint` : lastBefore(from)} + 1 as first,
      ${to === null ? newest : lastBefore(to)} as last`.execute(tx);
  return result.rows[0] ?? { first: 1n, last: 0n };
}

/** The newest line. A transaction that has just posted holds the account's lock, so it is its own line. */
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

/** What entered and left an account, hour by hour or day by day in Lagos. */
export interface StatementStep {
  /** When the hour or the day began. */
  readonly at: Date;
  readonly moneyIn: Kobo;
  readonly moneyOut: Kobo;
}

/**
 * Each step is the sum of the statement that is cut at its ends. An entry is before a moment when it, or one with a
 * higher number, was posted before it (see `findSpan`): hence the smallest time from the newest entry down to each.
 * Steps without entries are left out.
 */
export async function sumSteps(
  tx: Tx,
  accountId: string,
  { by, ...span }: TimeSpan & { readonly by: "hour" | "day" },
): Promise<StatementStep[]> {
  const { first, last } = await findSpan(tx, accountId, span);
  if (last < first) return [];
  const found = await sql<{ at: Date; money_in: bigint; money_out: bigint }>`
    select date_trunc(${by}, e.at at time zone 'Africa/Lagos') at time zone 'Africa/Lagos' as at,
      coalesce(sum(e.amount) filter (where e.amount > 0), 0)::bigint as money_in,
      coalesce(-sum(e.amount) filter (where e.amount < 0), 0)::bigint as money_out
    from (
      select amount, min(posted_at) over (order by account_entry desc rows unbounded preceding) as at
      from entries where environment_id = ${tx.environment.id} and account_id = ${accountId}
        and account_entry between ${first} and ${last}) e
    group by 1 order by 1 limit 10000`.execute(tx);
  return found.rows.map((row) => ({ at: row.at, moneyIn: kobo(row.money_in), moneyOut: kobo(row.money_out) }));
}
