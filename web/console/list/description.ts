/** What a list is: where it is read, what its columns show, by what it is filtered. One page draws them all. */
import type { ReactNode } from "react";
import type { Params } from "../api/client.ts";
import type { CsvColumn } from "../api/csv.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Amounts and counts stand on the right, so that their figures stand below each other. */
  readonly right?: true;
  /** Stands at the top of the card on a phone. */
  readonly lead?: true;
}

/** `choices` takes several at once, kept in the address with commas; `bank` chooses from the banks that payouts reach. */
export interface Filter {
  readonly kind: "choice" | "choices" | "bank" | "text" | "amount" | "day";
  readonly name: string;
  readonly label: string;
  /** Of `choice` and `choices`. */
  readonly options?: readonly string[];
}

export interface ListDescription<Row> {
  /** Also the file's name. */
  readonly name: string;
  readonly path: string;
  readonly columns: readonly Column<Row>[];
  readonly filters: readonly Filter[];
  readonly rowKey: (row: Row) => string;
  /** The page of a row, within the room. */
  readonly rowPath?: (row: Row) => string;
  readonly csv?: readonly CsvColumn<Row>[];
  readonly fixed?: Params;
  readonly empty: { readonly title: string; readonly text: ReactNode; readonly command?: string };
}

/** The values of the filters, as they stand in the address. What no filter knows is left out. */
export function chosen(filters: readonly Filter[], search: Readonly<Record<string, unknown>>): Record<string, string> {
  const pairs = filters.flatMap(({ name }) => {
    const value = search[name];
    return value === undefined || value === null || value === "" ? [] : [[name, String(value)] as const];
  });
  return Object.fromEntries(pairs);
}
