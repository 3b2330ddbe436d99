/**
 * What a person has at hand when they look for a record: an id, a reference, an account number, a telephone, an amount,
 * a name. Each slice says which of its columns hold such words, and the search asks. Nobody knows every table.
 *
 * No index is kept for searching alone, because each would be written on every payout. Ids, references and what else
 * has an index is found however old it is; the rest is looked for among the newest records, whose number is bounded.
 * Sealed columns are not searched, and personal numbers (BVN, NIN) do not belong into an address.
 */
import type { RawBuilder } from "kysely";

/** Records of one table. Expressions are over the table's columns, whose row is called `t`. */
export interface SearchedKind {
  readonly kind: string;
  readonly table: string;
  /** A key without it is not shown the records. */
  readonly scope: `${string}:read`;
  /** Where the API reads one; `{id}` stands for its id. */
  readonly path: `/${string}`;
  /** The column that names a record, where it is not `id`: a text with an index, named in `indexed` as well. */
  readonly nameColumn?: string;
  /** Only these rows are records of this kind. */
  readonly only?: RawBuilder<boolean>;
  readonly title: RawBuilder<string>;
  readonly details: RawBuilder<readonly (string | null)[]>;
  /** Makes one line of the details; they are joined otherwise. */
  readonly describe?: (details: readonly (string | null)[]) => readonly (string | null)[];
  readonly status?: RawBuilder<string>;
  readonly amountColumn?: string;
  readonly createdColumn?: string;
  /** As what its references are claimed. */
  readonly references?: readonly string[];
  /** Columns of ids that have an index. */
  readonly ids?: readonly string[];
  /** Columns of text that have an index, and the condition of that index if it has one. */
  readonly indexed?: readonly IndexedColumn[];
  /** The order in which the newest are looked through; without it the kind is found by its keys only. */
  readonly newestBy?: "list_position" | "id";
  /** Columns of the newest that hold exactly what is looked for. */
  readonly exactly?: readonly string[];
  /** Text of the newest that has all words somewhere. */
  readonly text?: RawBuilder<string>;
}

interface IndexedColumn {
  readonly column: string;
  readonly only?: RawBuilder<boolean>;
}
