/**
 * Lists that can be narrowed down. Without a filter a page is a range of list positions and costs the same anywhere.
 * Narrowed down by status, by time or by both, a list costs about the same at a million records as at ten thousand: the
 * total is read from the counts of final records (`list-counts.ts`); open ones are few, and found through a worker's
 * queue and what it handed to the agenda; an index has the matches of each status in the order of their ids. What still
 * grows: a later page steps over the matches before it, in the index; a span that cuts a minute reads the records of
 * some three minutes there; and open records are counted one by one.
 */
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../database/database.ts";
import { earliestIdFrom, idBeyond } from "../database/ids.ts";
import { type CountedSpan, finalCount, splitSpan } from "./list-counts.ts";
import { type PageRequest, type Pagination, paginationOf, readPage } from "./pagination.ts";
import { findByReference } from "./reference-claims.ts";

export interface CountedList<Record, Row> {
  /** A table with `claim_at` and `completed_at`, and (environment, status, id) of what is final in an index. */
  readonly table: string;
  readonly columns: readonly string[];
  toRecord(row: Row): Record;
  /** Of its positions, of its references, and of the counts of its final records. */
  readonly resource: string;
  /** What a listed record `t` is, beyond its environment. */
  readonly only: RawBuilder<unknown>;
  readonly statuses: readonly string[];
  readonly open: readonly string[];
}

/** What is asked of a list; all of it, where everything is null. */
export interface ListQuestion extends CountedSpan {
  readonly reference: string | null;
  readonly statuses: readonly string[] | null;
}

interface Page<Record> {
  readonly rows: Record[];
  readonly total: bigint;
  readonly pagination: Pagination;
}

/** One page, newest first. `further` are conditions about `t` for which no totals are kept: their matches are counted. */
export async function readList<Record, Row>(
  tx: Tx,
  list: CountedList<Record, Row>,
  { reference, statuses, further, ...span }: ListQuestion & { readonly further: readonly RawBuilder<unknown>[] },
  page: PageRequest,
): Promise<Page<Record>> {
  const named = reference === null ? null : await findByReference(tx, list.resource, reference);
  if (reference !== null && named === null) return pageOfTotal([], 0n, page);
  const conditions = named === null ? further : [...further, sql`t.id = ${named}::uuid`];
  const isKept = conditions.length === 0;
  if (isKept && statuses === null && span.from === null && span.to === null) return readAll(tx, list, page);
  const asked = { ...span, statuses: statuses ?? list.statuses };
  const total = await readOne(
    tx,
    isKept ? keptTotal(tx, list, asked) : totalOf(matchingIds(tx, list, asked, conditions)),
  );
  const skipping = { skip: BigInt(page.page - 1) * BigInt(page.limit), limit: page.limit };
  if (skipping.skip >= total) return pageOfTotal([], total, page);
  const ids = isKept ? keptIds(tx, list, asked, skipping) : matchingIds(tx, list, asked, conditions);
  return pageOfTotal(await readRows(tx, list, ids, skipping), total, page);
}

/** A page of the list without a filter, which costs the same anywhere. */
export function readAll<Record, Row>(tx: Tx, list: CountedList<Record, Row>, page: PageRequest): Promise<Page<Record>> {
  return readPage(tx, list.resource, page, async ({ first, last }) => {
    const found = await sql<Row>`
      select ${columnsOf(list)} from ${sql.table(list.table)} t
      where t.environment_id = ${tx.environment.id} and t.list_position >= ${first} and t.list_position <= ${last}
      order by t.list_position desc limit 100`.execute(tx);
    return found.rows.map(list.toRecord);
  });
}

function pageOfTotal<Record>(rows: Record[], total: bigint, { page, limit }: PageRequest): Page<Record> {
  return { rows, total, pagination: paginationOf(total, page, limit) };
}

async function readOne(tx: Tx, total: RawBuilder<unknown>): Promise<bigint> {
  const counted = await sql<{ total: bigint }>`select ${total} as total`.execute(tx);
  return counted.rows[0]?.total ?? 0n;
}

function totalOf(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select count(*) from (${ids}) c)`;
}

/** The page is found by ids alone, which an index has; only its own rows are read. */
async function readRows<Record, Row>(
  tx: Tx,
  list: CountedList<Record, Row>,
  ids: RawBuilder<unknown>,
  { skip, limit }: Skipping,
): Promise<Record[]> {
  const found = await sql<Row>`
    select ${columnsOf(list)} from (
      select m.id from (${ids}) m order by m.id desc limit ${limit} offset ${skip}) p
    join ${sql.table(list.table)} t on t.environment_id = ${tx.environment.id} and t.id = p.id
    order by t.list_position desc limit ${limit}`.execute(tx);
  return found.rows.map(list.toRecord);
}

function columnsOf({ columns }: { readonly columns: readonly string[] }): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(`t.${column}`)));
}

type Counted = Pick<CountedList<never, never>, "table" | "resource" | "only" | "open">;

interface Narrowed extends CountedSpan {
  readonly statuses: readonly string[];
}

interface Skipping {
  readonly skip: bigint;
  readonly limit: number;
}

/** How many match, as an expression of one statement: a record that becomes final meanwhile is in one of its parts. */
function keptTotal(tx: Tx, list: Counted, asked: Narrowed): RawBuilder<unknown> {
  const { open, final } = divide(list, asked);
  const { edges, ...minutes } = splitSpan(asked);
  const counted: RawBuilder<unknown>[] = [];
  if (final.length > 0) counted.push(...edges.map((edge) => finalIn(tx, list, final, edge)));
  if (open.length > 0) counted.push(...openIn(tx, list, open, asked));
  const parts: RawBuilder<unknown>[] = counted.map(totalOf);
  if (final.length > 0) parts.push(finalCount(tx, { resource: list.resource, statuses: final }, minutes));
  return sql.join(parts, sql` + `);
}

/** The ids of those that the page may have. Each final status has a part, which its index gives in order and ends. */
function keptIds(tx: Tx, list: Counted, asked: Narrowed, { skip, limit }: Skipping): RawBuilder<unknown> {
  const { open, final } = divide(list, asked);
  const most = skip + BigInt(limit);
  const ordered = final.map((status) => sql`(${finalIn(tx, list, [status], asked)} order by t.id desc limit ${most})`);
  return sql.join([...ordered, ...(open.length > 0 ? openIn(tx, list, open, asked) : [])], sql` union all `);
}

/** The ids of those that satisfy further conditions. The parts do not overlap, and each has an index of its own. */
function matchingIds(
  tx: Tx,
  list: Counted,
  asked: Narrowed,
  conditions: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const { open, final } = divide(list, asked);
  const parts = [
    ...(final.length > 0 ? [finalIn(tx, list, final, asked)] : []),
    ...(open.length > 0 ? openIn(tx, list, open, asked) : []),
  ];
  return sql.join(
    parts.map((part) => sql.join([part, ...conditions], sql` and `)),
    sql` union all `,
  );
}

function divide({ open }: Counted, { statuses }: Narrowed) {
  const wanted = [...new Set(statuses)];
  return {
    open: wanted.filter((status) => open.includes(status)),
    final: wanted.filter((status) => !open.includes(status)),
  };
}

function finalIn(tx: Tx, list: Counted, statuses: readonly string[], span: CountedSpan): RawBuilder<unknown> {
  return sql`select t.id from ${sql.table(list.table)} t
    where t.completed_at is not null and t.status in (${sql.join(statuses)}) and ${within(tx, list, span)}`;
}

/** In the worker's queue, and handed to the agenda: an index for each. */
function openIn(tx: Tx, list: Counted, statuses: readonly string[], span: CountedSpan): RawBuilder<unknown>[] {
  return [sql`t.claim_at is not null`, sql`t.claim_at is null`].map(
    (held) => sql`select t.id from ${sql.table(list.table)} t
      where t.completed_at is null and ${held} and t.status in (${sql.join(statuses)}) and ${within(tx, list, span)}`,
  );
}

/** Ids carry the time of their making, a little apart from the record's own, which decides. */
function within(tx: Tx, { only }: Counted, { from, to }: CountedSpan): RawBuilder<unknown> {
  const parts = [sql`t.environment_id = ${tx.environment.id} and ${only}`];
  if (from !== null) parts.push(sql`t.created_at >= ${from} and t.id >= ${earliestIdFrom(from)}::uuid`);
  if (to !== null) parts.push(sql`t.created_at < ${to} and t.id < ${idBeyond(to)}::uuid`);
  return sql.join(parts, sql` and `);
}
