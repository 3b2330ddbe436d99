/** Files of payouts over random tables: no cell is lost, no amount grows, no row is paid under another's reference. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { csvCell, csvOf } from "../api/csv.ts";
import {
  draftRows,
  forEachOf,
  guessMapping,
  judgeRows,
  type Mapping,
  parseTable,
  withoutEmpty,
} from "./payout-file.ts";

const whole: Mapping = { accountNumber: 0, bankCode: 1, amount: 2, name: null, reference: 3, narration: 4 };
const read = (cells: readonly string[]) => judgeRows(draftRows([{ line: 2, cells }], whole))[0];
const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);

test.each([",", ";", "\t"])("a table divided by %j is read with all its cells", (divider) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word, word), { minLength: 1, maxLength: 6 }), (rows) => {
      const read = parseTable(rows.map((row) => row.join(divider)).join("\r\n"));
      expect(read.map(({ cells }) => cells)).toEqual(rows);
      expect(read.map(({ line }) => line)).toEqual(rows.map((_, at) => at + 1));
    }),
  );
});

test("empty rows are left out, and the others keep the line that a spreadsheet shows", () => {
  const row = fc.oneof(fc.constant(["", ""]), fc.tuple(word, word));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
      const kept = withoutEmpty(rows);
      for (const { line, cells } of kept) expect(rows[line - 1]).toBe(cells);
      expect(kept).toHaveLength(rows.filter(([first]) => first !== "").length);
    }),
  );
});

test("whatever is in a file, reading it ends, and cells are trimmed", () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[a",;\t\r\n ]{0,40}$/));
  fc.assert(
    fc.property(text, (file) => {
      for (const { cells } of parseTable(file)) {
        expect(cells.some((cell) => cell !== "")).toBe(true);
        expect(cells).toEqual(cells.map((cell) => cell.trim()));
      }
    }),
    { numRuns: 500 },
  );
});

test("no text that a stranger chose begins a formula in a saved file", () => {
  const begin = fc.constantFrom("=", "+", "-", "@", "\t", "\r");
  fc.assert(
    fc.property(begin, fc.string(), (sign, rest) => {
      expect(csvCell(`${sign}${rest}`)).toMatch(/^"?'/);
    }),
  );
});

test("a saved cell is one cell, whatever stands in it", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      const file = csvOf<null>([["one", () => one] as const, ["other", () => other] as const], [null]);
      const outside = file.replaceAll(/"(?:[^"]|"")*"/g, "");
      expect(outside.split("\r\n")).toHaveLength(3);
      expect(outside.split("\r\n")[1]?.split(",")).toHaveLength(2);
    }),
  );
});

test("no account but the one that was typed is paid without a word, and never one with two zeros more", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_999_999 }).map(String), (typed) => {
      const row = read([typed, "058", "1", "", ""]);
      const isPaid = row?.mistakes.length === 0;
      expect(isPaid).toBe(typed.length === 10 || typed.length === 9);
      if (isPaid) expect(row.accountNumber).toBe(typed.padStart(10, "0"));
      expect(row?.doubts.length).toBe(typed.length === 9 ? 1 : 0);
    }),
  );
});

test("of rows with one reference the first is fine, and the others are told", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("", "r1", "r2"), { minLength: 1, maxLength: 10 }), (references) => {
      const rows = references.map((reference, at) => ({
        line: at + 2,
        cells: ["0123456789", "058", String(at + 1), reference, ""],
      }));
      const fine = judgeRows(draftRows(rows, whole)).filter(({ mistakes }) => mistakes.length === 0);
      const named = fine.map(({ reference }) => reference).filter((reference) => reference !== "");
      expect(named.toSorted()).toEqual([...new Set(references.filter((reference) => reference !== ""))].toSorted());
    }),
  );
});

const account = "0123456789";
test.each([
  ["an amount of nothing", [account, "058", "0", "", ""], "amount"],
  ["a negative amount", [account, "058", "-5", "", ""], "amount"],
  ["three decimals", [account, "058", "5.001", "", ""], "amount"],
  ["an amount in words", [account, "058", "five", "", ""], "amount"],
  ["a scientific amount", [account, "058", "1e6", "", ""], "amount"],
  ["no account", ["", "058", "5", "", ""], "accountNumber"],
  ["letters in an account", ["12345abcde", "058", "5", "", ""], "accountNumber"],
  ["no bank", [account, "", "5", "", ""], "bankCode"],
  ["a bank's name", [account, "GTBank", "5", "", ""], "bankCode"],
  ["a code of one digit", [account, "5", "5", "", ""], "bankCode"],
  ["a code of seven digits", [account, "1234567", "5", "", ""], "bankCode"],
])("%s is one mistake, and is told", (_case, cells, field) => {
  expect(read(cells)?.mistakes.map((one) => one.field)).toEqual([field]);
});

test("a row that is shorter than the titles is wrong and does not stop the others", () => {
  const rows = [
    { line: 2, cells: [account] },
    { line: 3, cells: [account, "058", "10"] },
  ];
  const [short, good] = judgeRows(draftRows(rows, whole));
  expect(short?.mistakes).toHaveLength(2);
  expect(good).toMatchObject({ line: 3, reference: "", narration: "", mistakes: [] });
});

test("a column that nobody named is empty, not the first one", () => {
  const mapping = { ...whole, reference: null, narration: null };
  const [row] = judgeRows(draftRows([{ line: 2, cells: [account, "1", "1", "x", "y"] }], mapping));
  expect(row).toMatchObject({ reference: "", narration: "" });
});

test("a title is taken for one field at most", () => {
  const titles = ["account", "nuban", "bank", "bank code", "amount", "naira", "ref", "id", "note", "remarks", "sex"];
  fc.assert(
    fc.property(fc.shuffledSubarray(titles), (given) => {
      const places = Object.values(guessMapping(given)).filter((place) => place !== null);
      expect(new Set(places).size).toBe(places.length);
      expect(places).not.toContain(given.indexOf("sex"));
    }),
  );
});

test("of many tasks no more than allowed are under way, and all are begun in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 20 }), fc.integer({ min: 1, max: 5 }), async (count, width) => {
      const begun: number[] = [];
      let [running, most] = [0, 0];
      const items = Array.from({ length: count }, (_, at) => at);
      await forEachOf(items, width, async (item) => {
        begun.push(item);
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
      });
      expect(begun).toEqual(items);
      expect(most).toBe(Math.min(count, width));
    }),
    { numRuns: 40 },
  );
});
