/** CSV as RFC 4180 has it, and safe to open in a spreadsheet. */

const needsQuotes = /[",\r\n]/;
/**
 * A spreadsheet takes a cell that begins like this for a formula and runs it. Some skip blanks and invisible characters
 * before the sign, some split a cell at a line end, and those of East Asia also know the sign in full width.
 */
const looksLikeFormula = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

export function csvRow(fields: readonly string[]): string {
  return `${fields.map(csvCell).join(",")}\r\n`;
}

/** For text that somebody else wrote: what would be run as a formula is made plain text by a leading apostrophe. */
export function foreignText(text: string): string {
  return looksLikeFormula.test(text) ? `'${text}` : text;
}

export function csvCell(field: string): string {
  return needsQuotes.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
