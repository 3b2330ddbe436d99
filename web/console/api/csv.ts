/** Lists as files, and files as lists. */
import { type Door, type Params, readPage } from "./client.ts";

export type CsvColumn<Row> = readonly [
  title: string,
  value: (row: Row) => string | number | boolean | null | undefined,
];

const signs = "=+\\-@＝＋－＠﹦﹢﹣﹫";
const blanks = String.raw`\s\p{Cc}\p{Cf}`;
/** As in the server's files: also behind `;`, a tab and a line end, which some spreadsheets take for the end of a cell. */
const formulaStart = new RegExp(
  String.raw`^(?=[\t\r\n]|[${blanks}]*[${signs}])|(?<=[;\t\r\n])(?=(?:(?![\t\r\n])["${blanks}])*[${signs}])`,
  "gu",
);

/** RFC 4180. What a spreadsheet would take for a formula gets an apostrophe: references are chosen by strangers. */
export function csvCell(value: string | number | boolean | null | undefined): string {
  const text = value === null || value === undefined ? "" : String(value);
  const safe = typeof value === "string" ? text.replaceAll(formulaStart, "'") : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map(([, value]) => csvCell(value(row))).join(","));
  return [columns.map(([title]) => csvCell(title)).join(","), ...lines, ""].join("\r\n");
}

/** Every page of a list, one after the other. */
export async function readAll<Row>(door: Door, path: string, params: Params): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page: number | null = 1; page !== null; ) {
    const found: { rows: readonly Row[]; nextPage: number | null } = await readPage<Row>(door, path, {
      ...params,
      page,
      limit: 100,
    });
    rows.push(...found.rows);
    page = found.nextPage;
  }
  return rows;
}

const spreadsheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Text is a CSV file, bytes are a spreadsheet. */
export function saveFile(name: string, content: string | Uint8Array<ArrayBuffer>): void {
  const type = typeof content === "string" ? "text/csv;charset=utf-8" : spreadsheet;
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
