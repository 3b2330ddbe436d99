/** What a list is: where it is read, what its columns show, by what it is filtered. One page draws them all. */
import type { ReactNode } from "react";
import type { Params } from "../api/client.ts";
import type { CsvColumn } from "../api/csv.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Amounts and counts stand on the right, so that their figures stand below each other. */
  readonly right?: true;
  /** Begins the first line on a phone, in place of the first column. */
  readonly lead?: true;
  /** A phone has two lines for a row; what is not needed to tell rows apart is on the record's page. */
  readonly onPhone?: false;
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

export interface Lines<Row> {
  readonly lead: Column<Row> | undefined;
  /** At the end of the first line: the amount, or else when it was. */
  readonly beside: Column<Row> | undefined;
  /** At the beginning of the second line, two at most. */
  readonly below: readonly Column<Row>[];
  readonly last: Column<Row> | undefined;
}

/** A row's columns on the two lines that a phone has for it. Further figures are left out: none would have its title. */
export function linesOf<Row>(columns: readonly Column<Row>[]): Lines<Row> {
  const shown = columns.filter(({ onPhone }) => onPhone !== false);
  const lead = shown.find((column) => column.lead) ?? shown[0];
  const others = shown.filter((column) => column !== lead);
  const amount = others.find(({ right }) => right);
  const words = others.filter(({ right }) => right !== true);
  const beside = amount ?? words.at(-1);
  const rest = words.filter((column) => column !== beside);
  const last = amount === undefined || rest.length < 2 ? undefined : rest.at(-1);
  return { lead, beside, below: rest.filter((column) => column !== last).slice(0, 2), last };
}
