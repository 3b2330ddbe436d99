/** A file of payouts: read, its columns told apart, each row checked before a bank is asked. */
import { typedNaira } from "../parts/figures.ts";

export const fields = ["accountNumber", "bankCode", "amount", "reference", "narration"] as const;
export type Field = (typeof fields)[number];
export type Mapping = Readonly<Record<Field, number | null>>;

/** A row of a file that is not empty. */
export interface TableRow {
  /** Where it stands in the file, as a spreadsheet counts: from 1, empty rows included. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** RFC 4180, and semicolons or tabs where a spreadsheet wrote those. */
export function parseTable(text: string): TableRow[] {
  const divider = dividerOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endCell = () => {
    row.push(cell.trim());
    cell = "";
  };
  const endRow = () => {
    endCell();
    rows.push(row);
    row = [];
  };
  const plain = text.replace(/^\uFEFF/, "");
  for (let at = 0; at < plain.length; at++) {
    const char = plain[at];
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (plain[at + 1] === '"') cell += plain[++at];
      else isQuoted = false;
    } else if (char === '"' && cell.trim() === "") isQuoted = true;
    else if (char === divider) endCell();
    else if (char === "\n") endRow();
    else if (char !== "\r") cell += char;
  }
  endRow();
  return withoutEmpty(rows);
}

export function withoutEmpty(rows: readonly (readonly string[])[]): TableRow[] {
  return rows
    .map((cells, index) => ({ line: index + 1, cells }))
    .filter(({ cells }) => cells.some((text) => text !== ""));
}

function dividerOf(text: string): string {
  const first = text.split("\n").find((line) => line.trim() !== "") ?? "";
  return [",", ";", "\t"].toSorted((one, other) => first.split(other).length - first.split(one).length)[0] ?? ",";
}

const names: Readonly<Record<Field, RegExp>> = {
  accountNumber: /^(account|acct|nuban)[ _-]?(number|no|num)?\.?$/i,
  bankCode: /^bank([ _-]?code)?$/i,
  amount: /^(amount|naira|value|pay)\b/i,
  reference: /^(reference|ref|id)$/i,
  narration: /^(narration|description|remark|note)s?$/i,
};

/** Which column is which, as far as their titles tell. */
export function guessMapping(titles: readonly string[]): Mapping {
  const found = (field: Field) => {
    const index = titles.findIndex((title) => names[field].test(title.trim()));
    return index === -1 ? null : index;
  };
  return {
    accountNumber: found("accountNumber"),
    bankCode: found("bankCode"),
    amount: found("amount"),
    reference: found("reference"),
    narration: found("narration"),
  };
}

export interface PayoutRow {
  /** As the file counts: without empty lines the first after the titles is 2. */
  readonly line: number;
  readonly accountNumber: string;
  readonly bankCode: string;
  readonly amount: number;
  readonly reference: string;
  readonly narration: string;
  readonly mistakes: readonly string[];
}

/** A spreadsheet takes the zeros at the front of numbers away; they are put back. */
export function readRows(rows: readonly TableRow[], mapping: Mapping, batch: string): PayoutRow[] {
  const seen = new Set<string>();
  return rows.map(({ line, cells }, index) => {
    const cell = (field: Field) => {
      const column = mapping[field];
      return column === null ? "" : (cells[column] ?? "");
    };
    const accountNumber = cell("accountNumber").replaceAll(/\s/g, "").padStart(10, "0");
    const bankCode = cell("bankCode").replaceAll(/\s/g, "").padStart(3, "0");
    const amount = typedNaira(cell("amount"));
    const reference = cell("reference") === "" ? `${batch}-${index + 1}` : cell("reference");
    const mistakes = [
      ...(/^\d{10}$/.test(accountNumber) && cell("accountNumber") !== ""
        ? []
        : ["The account number needs ten digits."]),
      ...(/^\d{3,6}$/.test(bankCode) && cell("bankCode") !== "" ? [] : ["The bank's code needs three to six digits."]),
      ...(amount > 0 ? [] : ["The amount is no naira with at most two decimals."]),
      ...(seen.has(reference) ? ["The reference stands in the file twice."] : []),
    ];
    seen.add(reference);
    return { line, accountNumber, bankCode, amount, reference, narration: cell("narration"), mistakes };
  });
}

/** In kobo, because sums of naira with decimals would not be exact. */
export function totalOf(rows: readonly Pick<PayoutRow, "amount">[]): string {
  const kobo = rows.reduce((sum, { amount }) => sum + BigInt(Math.round(amount * 100)), 0n);
  return `${kobo / 100n}.${String(kobo % 100n).padStart(2, "0")}`;
}

/** Runs a task for each item, a few at a time, in order. */
export async function forEachOf<Item>(items: readonly Item[], width: number, task: (item: Item) => Promise<void>) {
  const queue = [...items];
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await task(item);
  };
  await Promise.all(Array.from({ length: width }, work));
}
