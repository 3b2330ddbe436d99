/**
 * Long statements as lines of a file, made by PostgreSQL: one text for a thousand lines. Made here, they would keep the
 * event loop from everybody else.
 *
 * PostgreSQL copies the words of strangers (narration, reference) only where they are plain. In the place of any other
 * it leaves a mark, and gives the words apart, for the rules of such a cell are ours.
 */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { SpanExtent } from "./statement.ts";

/** What stands between the cells that are not plain, which come in their order. There is one piece more than cells. */
export interface StatementPart {
  readonly pieces: readonly string[];
  readonly cells: readonly string[];
}

/** The most that one part holds. */
export const mostLines = 1_000n;

/** Nothing that ends a cell in any spreadsheet, begins a formula or is our mark. */
const plain = '^[A-Za-z0-9][^",;\\u0001-\\u001f]*$';
const mark = "\u001e";

/** The lines numbered `first` to `last`, newest first: the columns of `csvHeader`, with the ends of RFC 4180. */
export async function readStatementPart(tx: Tx, accountId: string, range: SpanExtent): Promise<StatementPart> {
  // The limit keeps the inner select apart: each comparison with `plain` is made once, in the order of the numbers.
  // Kobo times 0.01 has two decimals. `concat` is dearer.
  const result = await sql<{ text: string | null; cells: (string | null)[][] | null }>`
    select string_agg(l.transaction_id || ${`,${accountId},`}::text || l.kind ||
        case when l.amount < 0 then ',debit,' else ',credit,' end ||
        abs(l.amount) * 0.01 || ',' || l.balance_after * 0.01 || ',NGN,' ||
        coalesce(case when l.plain_narration then l.narration else ${mark}::text end, '') || ',' ||
        l.resource_type || ',' || coalesce(l.resource_id, l.transaction_id) || ',' ||
        coalesce(case when l.plain_reference then l.reference else ${mark}::text end, '') ||
        to_char(l.posted_at at time zone 'UTC', ${',YYYY-MM-DD"T"HH24:MI:SS.MS"Z"\r\n'}::text), '') as text,
      json_agg(json_build_array(case when not l.plain_narration then l.narration end,
        case when not l.plain_reference then l.reference end))
        filter (where not (l.plain_narration and l.plain_reference)) as cells
    from (
      select e.transaction_id, t.kind, e.amount, e.balance_after, t.narration, t.resource_type, t.resource_id,
        t.reference, e.posted_at, coalesce(t.narration ~ ${plain}::text, true) as plain_narration,
        coalesce(t.reference ~ ${plain}::text, true) as plain_reference
      from entries e
      join ledger_transactions t on t.environment_id = e.environment_id and t.id = e.transaction_id
      where e.environment_id = ${tx.environment.id}
        and e.account_id = ${accountId} and e.account_entry between ${range.first} and ${range.last}
      order by e.account_entry desc
      limit ${mostLines}) l`.execute(tx);
  const [row] = result.rows;
  const cells = (row?.cells ?? []).flat().filter((cell) => cell !== null);
  return { pieces: (row?.text ?? "").split(mark), cells };
}
