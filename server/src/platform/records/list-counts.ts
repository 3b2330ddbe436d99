/**
 * How many records of a filtered list are final, without counting them. A record that becomes final is counted in the
 * same transaction, under its status and the minute of its making; a loop folds these counts into buckets of 1, 64,
 * 4096 and 262,144 minutes (docs/adr/0030). Any span of whole minutes is a few buckets of each level, whatever lies in
 * it, and whichever way a sandbox's clock was set. The records of a minute that a span cuts are counted by their list.
 */
import { type RawBuilder, sql } from "kysely";
import type { Database, Tx } from "../database/database.ts";
import { retryTransient } from "../database/retry-transient.ts";
import type { Difference } from "./difference.ts";

const minuteMs = 60_000;
const topLevel = 3;
/** So many buckets make one of the next level. */
const fan = 64;
/** Beyond every clock (the year 2480), and the end of a bucket of the highest level. */
const farthestMinute = 2 ** 28;

/** In the environment's time; `from` counts in, `to` does not. Null is no bound. */
export interface CountedSpan {
  readonly from: Date | null;
  readonly to: Date | null;
}

interface Edge {
  readonly from: Date;
  readonly to: Date;
}

interface Buckets {
  readonly level: number;
  readonly first: number;
  readonly beyond: number;
}

/** The whole minutes of a span, and what it has of others: at most the end of one and the beginning of another. */
export function splitSpan({ from, to }: CountedSpan): { first: number; beyond: number; edges: readonly Edge[] } {
  const msOf = (moment: Date | null, otherwise: number): number =>
    Math.min(Math.max(moment?.getTime() ?? otherwise, 0), farthestMinute * minuteMs);
  const [start, end] = [msOf(from, 0), msOf(to, farthestMinute * minuteMs)];
  const [first, beyond] = [Math.ceil(start / minuteMs), Math.floor(end / minuteMs)];
  const parts =
    first > beyond ? [[start, end]] : [[start, first * minuteMs] as const, [beyond * minuteMs, end] as const];
  const edges = parts.flatMap(([one = 0, other = 0]) =>
    one < other ? [{ from: new Date(one), to: new Date(other) }] : [],
  );
  return { first, beyond: Math.max(first, beyond), edges };
}

/** The fewest buckets that make up the minutes from `first` to before `beyond`. */
export function coverMinutes(first: number, beyond: number): Buckets[] {
  const found: Buckets[] = [];
  const take = (bucket: Buckets): void => {
    if (bucket.first < bucket.beyond) found.push(bucket);
  };
  let [low, high] = [first, beyond];
  for (let level = 0; level < topLevel && low < high; level += 1) {
    const up = Math.min(Math.ceil(low / fan) * fan, high);
    const down = Math.max(Math.floor(high / fan) * fan, up);
    take({ level, first: low, beyond: up });
    take({ level, first: down, beyond: high });
    [low, high] = up < down ? [up / fan, down / fan] : [0, 0];
  }
  take({ level: topLevel, first: low, beyond: high });
  return found;
}

/**
 * How many records of the list are final in these states and were made in these minutes, as an expression: it must be
 * read in one statement with everything else that is counted, because records become final between two.
 */
export function finalCount(
  tx: Tx,
  list: { readonly resource: string; readonly statuses: readonly string[] },
  { first, beyond }: { readonly first: number; readonly beyond: number },
): RawBuilder<bigint> {
  const buckets = coverMinutes(first, beyond);
  const statuses = sql`${list.statuses}::text[]`;
  // The inner query is an aggregate, so that the planner can only walk the key, once for each range of buckets.
  return sql`(
    coalesce((
      select sum(k.total)::bigint
      from unnest(${buckets.map(({ level }) => level)}::smallint[], ${buckets.map((range) => range.first)}::integer[],
        ${buckets.map((range) => range.beyond)}::integer[]) as r (level, first, beyond)
      cross join unnest(${statuses}) as s (status)
      cross join lateral (
        select sum(c.total) as total from list_counts c
        where c.environment_id = ${tx.environment.id} and c.resource = ${list.resource} and c.status = s.status
          and c.level = r.level and c.bucket >= r.first and c.bucket < r.beyond) k), 0)
    + coalesce((
      select sum(d.change)::bigint from list_count_deltas d
      where d.environment_id = ${tx.environment.id} and d.resource = ${list.resource} and d.status = any (${statuses})
        and d.minute >= ${first} and d.minute < ${beyond}), 0))`;
}

/** Folds what batches have added in all environments. What is read does not change by it, it is only read sooner. */
export async function foldListCounts(db: Database): Promise<number> {
  const folded = await retryTransient(() => sql<{ count: number }>`select fold_list_counts() as count`.execute(db));
  return folded.rows[0]?.count ?? 0;
}

/** Every count that is not what the records come to, of every length. Intact counts return an empty list. */
export async function verifyListCounts(tx: Tx): Promise<Difference[]> {
  const found = await sql<Difference>`
    select 'final records are counted' as check,
      concat_ws(' ', d.resource, d.status, to_timestamp((d.bucket::bigint << (6 * d.level)) * 60)::text,
        'for', 1 << (6 * d.level), 'min') as subject, d.expected::text, d.found::text
    from compare_list_counts(${tx.environment.id}) d
    order by d.level, d.resource, d.status, d.bucket limit 1000`.execute(tx);
  return found.rows;
}
