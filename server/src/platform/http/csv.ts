/** CSV as RFC 4180 has it, and safe to open in a spreadsheet. */

const needsQuotes = /[",\r\n]/;
const signs = "=+\\-@＝＋－＠﹦﹢﹣﹫";
const blanks = String.raw`\s\p{Cc}\p{Cf}`;
/**
 * Where a spreadsheet begins a formula and runs it. Some skip blanks and invisible characters before the sign, and
 * those of East Asia also know the sign in full width. Others take `;`, a tab or a line end for the end of a cell, as
 * one with European settings does for `;`, so a formula may also begin behind those.
 */
const formulaStart = new RegExp(
  String.raw`^(?=[\t\r\n]|[${blanks}]*[${signs}])|(?<=[;\t\r\n])(?=(?:(?![\t\r\n])["${blanks}])*[${signs}])`,
  "gu",
);

export function csvRow(fields: readonly string[]): string {
  return `${fields.map(csvCell).join(",")}\r\n`;
}

/** For text that somebody else wrote: an apostrophe before each formula makes it plain text. */
export function foreignText(text: string): string {
  return text.replaceAll(formulaStart, "'");
}

export function csvCell(field: string): string {
  return needsQuotes.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
