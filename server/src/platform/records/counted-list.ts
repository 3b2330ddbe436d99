/**
 * Lists that are narrowed down by status, by time or by both, and cost about the same at a million records as at ten
 * thousand. The total is read from the counts of final records (`list-counts.ts`); open ones are few, and found through
 * a worker's queue and what it handed to the agenda; an index has the matches of each status in the order of their ids.
 * What still grows: a later page steps over the matches before it, in the index; a span that cuts a minute reads the
 * records of some three minutes there; and open records are counted one by one.
 */
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../database/database.ts";
import { earliestIdFrom, idBeyond } from "../database/ids.ts";
import { type CountedSpan, finalCount, splitSpan } from "./list-counts.ts";

export interface CountedList {
  /** A table with `claim_at` and `completed_at`, and (environment, status, id) of what is final in an index. */
  readonly table: string;
  /** Under which its final records are counted. */
  readonly resource: string;
  /** What a listed record `t` is, beyond its environment. */
  readonly only: RawBuilder<unknown>;
  readonly open: readonly string[];
}

export interface Narrowed extends CountedSpan {
  readonly statuses: readonly string[];
}

export interface Skipping {
  readonly skip: bigint;
  readonly limit: number;
}

/** How many match, as an expression of one statement: a record that becomes final meanwhile is in one of its parts. */
export function keptTotal(tx: Tx, list: CountedList, asked: Narrowed): RawBuilder<bigint> {
  const { open, final } = divide(list, asked);
  const { edges, ...minutes } = splitSpan(asked);
  const counted: RawBuilder<unknown>[] = [];
  if (final.length > 0) counted.push(...edges.map((edge) => finalIn(tx, list, final, edge)));
  if (open.length > 0) counted.push(...openIn(tx, list, open, asked));
  const parts = counted.map((part) => sql`(select count(*) from (${part}) c)`);
  if (final.length > 0) parts.push(finalCount(tx, { resource: list.resource, statuses: final }, minutes));
  return sql`${sql.join(parts, sql` + `)}`;
}

/** The ids of those that the page may have. Each final status has a part, which its index gives in order and ends. */
export function keptIds(tx: Tx, list: CountedList, asked: Narrowed, { skip, limit }: Skipping): RawBuilder<unknown> {
  const { open, final } = divide(list, asked);
  const most = skip + BigInt(limit);
  const ordered = final.map((status) => sql`(${finalIn(tx, list, [status], asked)} order by t.id desc limit ${most})`);
  return sql.join([...ordered, ...(open.length > 0 ? openIn(tx, list, open, asked) : [])], sql` union all `);
}

function divide({ open }: CountedList, { statuses }: Narrowed) {
  const wanted = [...new Set(statuses)];
  return {
    open: wanted.filter((status) => open.includes(status)),
    final: wanted.filter((status) => !open.includes(status)),
  };
}

function finalIn(tx: Tx, list: CountedList, statuses: readonly string[], span: CountedSpan): RawBuilder<unknown> {
  return sql`select t.id from ${sql.table(list.table)} t
    where t.completed_at is not null and t.status in (${sql.join(statuses)}) and ${within(tx, list, span)}`;
}

/** In the worker's queue, and handed to the agenda: an index for each. */
function openIn(tx: Tx, list: CountedList, statuses: readonly string[], span: CountedSpan): RawBuilder<unknown>[] {
  return [sql`t.claim_at is not null`, sql`t.claim_at is null`].map(
    (held) => sql`select t.id from ${sql.table(list.table)} t
      where t.completed_at is null and ${held} and t.status in (${sql.join(statuses)}) and ${within(tx, list, span)}`,
  );
}

/** Ids carry the time of their making, a little apart from the record's own, which decides. */
export function within(tx: Tx, { only }: Pick<CountedList, "only">, { from, to }: CountedSpan): RawBuilder<unknown> {
  const parts = [sql`t.environment_id = ${tx.environment.id} and ${only}`];
  if (from !== null) parts.push(sql`t.created_at >= ${from} and t.id >= ${earliestIdFrom(from)}::uuid`);
  if (to !== null) parts.push(sql`t.created_at < ${to} and t.id < ${idBeyond(to)}::uuid`);
  return sql.join(parts, sql` and `);
}
