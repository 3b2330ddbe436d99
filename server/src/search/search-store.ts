/** Looks one kind of record up: by its keys in any age, by other columns among the newest. */
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { SearchedKind } from "../platform/records/search.ts";
import type { Sought } from "./sought.ts";

export interface FoundRow {
  readonly id: string;
  readonly title: string;
  readonly details: readonly (string | null)[];
  readonly status: string | null;
  readonly amount: bigint | null;
  readonly createdAt: Date;
  /** How well it fits; more is better. */
  readonly fit: number;
}

/** So many of the newest records of a kind are looked through for what has no index. */
export const searchDepth = 5_000;

const fits = { byKey: 3, whole: 2, words: 1 } as const;

export async function findRows(tx: Tx, kind: SearchedKind, sought: Sought, limit: number): Promise<FoundRow[]> {
  const ways = [...keyWays(tx, kind, sought), ...newestWay(tx, kind, sought)];
  if (ways.length === 0) return [];
  const created = sql.ref(`t.${kind.createdColumn ?? "created_at"}`);
  const name = sql.ref(`t.${kind.nameColumn ?? "id"}`);
  // Titles are made for what is shown only.
  const found = await sql<FoundRow>`
    select ${name} as id, ${kind.title} as title, ${kind.details} as details,
      ${kind.status ?? sql`null`}::text as status,
      ${kind.amountColumn === undefined ? sql`null` : sql.ref(`t.${kind.amountColumn}`)}::bigint as amount,
      ${created} as "createdAt", t.fit
    from (
      select t.* from (${sql.join(ways, sql` union all `)}) t
      where ${kind.only ?? sql`true`} order by t.fit desc, ${created} desc, ${name} desc limit ${limit}) t
    order by t.fit desc, ${created} desc, ${name} desc limit ${limit}`.execute(tx);
  return found.rows;
}

/** Each is answered by an index. */
function keyWays(tx: Tx, kind: SearchedKind, { id, text, forms }: Sought): RawBuilder<unknown>[] {
  const { references = [], ids = [], indexed = [], nameColumn } = kind;
  const idColumns = nameColumn === undefined ? ["id", ...ids] : ids;
  const where = (condition: RawBuilder<unknown>) => sql`
    select t.*, ${fits.byKey}::integer as fit from ${sql.table(kind.table)} t
    where t.environment_id = ${tx.environment.id} and ${condition}`;
  const claimed = sql`
    select c.record_id from reference_claims c
    where c.environment_id = ${tx.environment.id} and c.kind = any (${references}::text[]) and c.reference = ${text}`;
  return [
    ...(id === null ? [] : idColumns.map((column) => where(sql`${sql.ref(`t.${column}`)} = ${id}::uuid`))),
    ...(references.length === 0 ? [] : [where(sql`t.id = any (array(${claimed}))`)]),
    ...indexed.map(({ column, only = sql`true` }) =>
      where(sql`${sql.ref(`t.${column}`)} = any (${forms}::text[]) and ${only}`),
    ),
  ];
}

/** A bounded walk along an index, from the newest on. An id is a key and nothing else. */
function newestWay(tx: Tx, kind: SearchedKind, { id, forms, words, amount }: Sought): RawBuilder<unknown>[] {
  const { newestBy, exactly = [], amountColumn, text } = kind;
  if (newestBy === undefined || id !== null) return [];
  const whole = exactly.map((column) => sql`${sql.ref(`t.${column}`)} = any (${forms}::text[])`);
  if (amount !== null && amountColumn !== undefined) {
    whole.push(sql`${sql.ref(`t.${amountColumn}`)} = ${amount}::bigint`);
  }
  const inText = text === undefined || words.length === 0 ? [] : [everyWord(text, words)];
  if (whole.length + inText.length === 0) return [];
  const isWhole = whole.length === 0 ? sql`false` : sql`(${sql.join(whole, sql` or `)})`;
  const place = sql.ref(`t.${newestBy}`);
  return [
    sql`
      select t.*, case when ${isWhole} then ${fits.whole}::integer else ${fits.words}::integer end as fit
      from (
        select t.* from ${sql.table(kind.table)} t
        where t.environment_id = ${tx.environment.id} and ${place} is not null
        order by ${place} desc limit ${searchDepth}) t
      where ${sql.join([isWhole, ...inText], sql` or `)}`,
  ];
}

function everyWord(text: RawBuilder<string>, words: readonly string[]): RawBuilder<unknown> {
  const each = words.map((word) => sql`position(lower(${word}::text) in lower(${text})) > 0`);
  return sql`(${sql.join(each, sql` and `)})`;
}
