/** A file that was written is read as it was: by RFC 4180, whatever is in its cells. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvRow, foreignText } from "./csv.ts";

/** A reader by the book: quotes, doubled quotes, line ends inside of quotes. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let place = 0; place < text.length; place += 1) {
    const sign = text.charAt(place);
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text.charAt(place + 1) === '"') {
        cell += '"';
        place += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell === "") isQuoted = true;
    else if (sign === ",") {
      row.push(cell);
      cell = "";
    } else if (sign === "\r" && text.charAt(place + 1) === "\n") {
      rows.push([...row, cell]);
      row = [];
      cell = "";
      place += 1;
    } else cell += sign;
  }
  return rows;
}

const unit = fc.constantFrom('"', ",", ";", "\r", "\n", "'", "=", "+", "-", "@", "a", " ", "\t", "ọ", "₦", "\u{1F600}");
const cells = fc.array(fc.string({ unit, maxLength: 12 }), { minLength: 1, maxLength: 6 });

describe("a row", () => {
  test("is read as it was written, among others, whatever its cells hold", () => {
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 5 }), (rows) => {
        expect(readCsv(rows.map(csvRow).join(""))).toEqual(rows);
      }),
    );
  });

  test("is one row: nothing in a cell begins another", () => {
    fc.assert(
      fc.property(cells, (row) => {
        expect(readCsv(csvRow(row))).toHaveLength(1);
      }),
    );
  });
});

describe("text that somebody else wrote", () => {
  test("never begins like a formula, whatever a spreadsheet takes for the end of a cell", () => {
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 12 }),
        fc.constantFrom("", " ", "\t", "\u200b", "\u00a0"),
        (text, before) => {
          const cells = foreignText(before + text).split(/[;\t\r\n]/);
          for (const [place, cell] of cells.entries()) {
            expect(cell).not.toMatch(place === 0 ? /^[\s\u200b]*[=+\-@]/ : /^["\s\u200b]*[=+\-@]/);
          }
        },
      ),
    );
  });

  test("loses nothing: apostrophes are added, and only where a formula would begin", () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        const harmless = foreignText(text);
        expect(harmless.replaceAll("'", "")).toBe(text.replaceAll("'", ""));
        if (!/[=+\-@]|^[\t\r\n]/.test(text)) expect(harmless).toBe(text);
      }),
    );
  });

  test("that was made harmless is not made so twice", () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        const once = foreignText(text);
        expect(foreignText(once)).toBe(once);
      }),
    );
  });
});
