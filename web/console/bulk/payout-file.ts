/** A file of payouts: read, its columns told apart, each row checked before a bank is asked. */
import { typedNaira } from "../parts/figures.ts";

export const fields = ["accountNumber", "bankCode", "amount", "name", "reference", "narration"] as const;
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
  name: /^((account|beneficiary|recipient|employee|staff)[ _-]?)?names?$/i,
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
    name: found("name"),
    reference: found("reference"),
    narration: found("narration"),
  };
}

/** A row as it stands in the file, or as a person has corrected it. */
export interface DraftRow {
  /** As the file counts: without empty lines the first after the titles is 2. */
  readonly line: number;
  readonly cells: Readonly<Record<Field, string>>;
}

export interface Mistake {
  readonly field: Field;
  readonly text: string;
}

export interface PayoutRow extends DraftRow {
  /** What would be paid. With a mistake it is what somebody typed. */
  readonly accountNumber: string;
  readonly bankCode: string;
  readonly amount: number;
  /** Empty where the file has none. */
  readonly reference: string;
  readonly narration: string;
  /** Whom the file names; empty where it names nobody. */
  readonly name: string;
  readonly mistakes: readonly Mistake[];
  /** What a person must agree to before the row is paid. */
  readonly doubts: readonly string[];
}

export function draftRows(rows: readonly TableRow[], mapping: Mapping): DraftRow[] {
  return rows.map(({ line, cells }) => {
    const cell = (field: Field) => {
      const column = mapping[field];
      return column === null ? "" : (cells[column] ?? "");
    };
    return { line, cells: Object.fromEntries(fields.map((field) => [field, cell(field)])) as DraftRow["cells"] };
  });
}

/** Each row on its own, then against those above it: a reference or a payment that stands there already. */
export function judgeRows(drafts: readonly DraftRow[]): PayoutRow[] {
  const lineOfReference = new Map<string, number>();
  const lineOfPayment = new Map<string, number>();
  return drafts.map((draft) => {
    const row = judgeRow(draft);
    const payment = `${row.bankCode}/${row.accountNumber}/${row.amount}`;
    const [sameReference, samePayment] = [lineOfReference.get(row.reference), lineOfPayment.get(payment)];
    if (sameReference === undefined && row.reference !== "") lineOfReference.set(row.reference, row.line);
    if (samePayment === undefined && row.mistakes.length === 0) lineOfPayment.set(payment, row.line);
    const text = `Line ${sameReference} has this reference. Give this row another one.`;
    return {
      ...row,
      mistakes: [...row.mistakes, ...(sameReference === undefined ? [] : [{ field: "reference" as const, text }])],
      doubts: [
        ...row.doubts,
        ...(samePayment === undefined ? [] : [`Line ${samePayment} pays the same account the same amount.`]),
      ],
    };
  });
}

function judgeRow(draft: DraftRow): PayoutRow {
  const { cells } = draft;
  const account = readAccount(cells.accountNumber);
  const bank = readBank(cells.bankCode);
  const amount = typedNaira(cells.amount);
  const amountMistake = amount > 0 ? null : "Enter naira with at most two decimals, such as 2500.50.";
  const mistakes = [
    { field: "accountNumber", text: account.mistake },
    { field: "bankCode", text: bank.mistake },
    { field: "amount", text: amountMistake },
  ] as const;
  return {
    ...draft,
    accountNumber: account.value,
    bankCode: bank.value,
    amount,
    reference: cells.reference,
    narration: cells.narration,
    name: cells.name,
    mistakes: mistakes.flatMap(({ field, text }) => (text === null ? [] : [{ field, text }])),
    doubts: account.doubt === null ? [] : [account.doubt],
  };
}

interface ReadCell {
  readonly value: string;
  readonly mistake: string | null;
  readonly doubt: string | null;
}

const accountLength = 10;

/**
 * A spreadsheet takes the zero at the front of a number away. One that is missing is proposed, and a person must agree:
 * a number that lacks more is a mistake, because padded it would be somebody else's account.
 */
function readAccount(cell: string): ReadCell {
  const value = cell.replaceAll(/\s/g, "");
  const fine = { value, mistake: null, doubt: null };
  if (value === "") return { ...fine, mistake: "The account number is missing." };
  if (!/^\d+$/.test(value)) return { ...fine, mistake: "An account number has ten digits and nothing else." };
  if (value.length === accountLength) return fine;
  if (value.length === accountLength - 1) {
    const proposed = `0${value}`;
    return {
      value: proposed,
      mistake: null,
      doubt: `The file has ${value}, without a zero at the front. Pay ${proposed}?`,
    };
  }
  const digits = `${value.length} ${value.length === 1 ? "digit" : "digits"}`;
  return { ...fine, mistake: `The account number has ${digits}. It needs ten.` };
}

/** A code of two digits lost its zero: no bank has one, so nothing else can be meant. */
function readBank(cell: string): ReadCell {
  const typed = cell.replaceAll(/\s/g, "");
  const value = /^\d\d$/.test(typed) ? `0${typed}` : typed;
  const fine = { value, mistake: null, doubt: null };
  if (value === "") return { ...fine, mistake: "The bank code is missing." };
  return /^\d{3,6}$/.test(value) ? fine : { ...fine, mistake: "A bank code has three to six digits." };
}

/** Runs a task for each item, a few at a time, in order. */
export async function forEachOf<Item>(items: readonly Item[], width: number, task: (item: Item) => Promise<void>) {
  const queue = [...items];
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await task(item);
  };
  await Promise.all(Array.from({ length: width }, work));
}
