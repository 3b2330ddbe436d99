/** A file as a table of texts, whatever wrote it. A spreadsheet's reader is loaded only when somebody brings one. */
import { parseTable, type TableRow, withoutEmpty } from "./payout-file.ts";

/** Throws what a person can do something about. */
export async function readTable(file: File): Promise<TableRow[]> {
  return /\.xlsx$/i.test(file.name) ? readSpreadsheet(file) : parseTable(await file.text());
}

async function readSpreadsheet(file: File): Promise<TableRow[]> {
  const { readSheet } = await import("read-excel-file/universal");
  try {
    const rows = await readSheet(file);
    return withoutEmpty(rows.map((row) => row.map(cellText)));
  } catch (cause) {
    throw new Error("The spreadsheet cannot be read. Save it as CSV, and bring that.", { cause });
  }
}

/** A cell as a person would type it; a date means nothing in a payout, and stays readable. */
export function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return String(cell).trim();
}
