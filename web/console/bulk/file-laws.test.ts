/** Files of payouts over random tables: no cell is lost, no amount grows, no row is paid under another's reference. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { csvCell, csvOf } from "../api/csv.ts";
import { forEachOf, guessMapping, type Mapping, parseTable, readRows, totalOf, withoutEmpty } from "./payout-file.ts";

const whole: Mapping = { accountNumber: 0, bankCode: 1, amount: 2, reference: 3, narration: 4 };
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

test("numbers of accounts get back the zeros that a spreadsheet took", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9_999_999_999 }), fc.integer({ min: 1, max: 999_999 }), (account, bank) => {
      const cells = [String(account), String(bank), "1", "", ""];
      const [row] = readRows([{ line: 2, cells }], whole, "b");
      expect(row?.accountNumber).toMatch(/^\d{10}$/);
      expect(Number(row?.accountNumber)).toBe(account);
      expect(row?.bankCode).toMatch(/^\d{3,6}$/);
      expect(Number(row?.bankCode)).toBe(bank);
      expect(row?.mistakes).toEqual([]);
    }),
  );
});

test("rows without a reference get one each, and two of the same are told at the second", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("", "r1", "r2", "batch-1"), { minLength: 1, maxLength: 10 }), (references) => {
      const rows = references.map((reference, at) => ({ line: at + 2, cells: ["1", "1", "1", reference, ""] }));
      const read = readRows(rows, whole, "batch");
      const fine = read.filter(({ mistakes }) => mistakes.length === 0).map(({ reference }) => reference);
      expect(new Set(fine).size).toBe(fine.length);
      expect(new Set(fine)).toEqual(new Set(read.map(({ reference }) => reference)));
    }),
  );
});

test.each([
  ["an amount of nothing", ["1", "1", "0", "", ""], "amount"],
  ["a negative amount", ["1", "1", "-5", "", ""], "amount"],
  ["three decimals", ["1", "1", "5.001", "", ""], "amount"],
  ["an amount in words", ["1", "1", "five", "", ""], "amount"],
  ["a scientific amount", ["1", "1", "1e6", "", ""], "amount"],
  ["no account", ["", "1", "5", "", ""], "account number"],
  ["eleven digits", ["12345678901", "1", "5", "", ""], "account number"],
  ["letters in an account", ["12345abcde", "1", "5", "", ""], "account number"],
  ["no bank", ["1", "", "5", "", ""], "bank's code"],
  ["a bank's name", ["1", "GTBank", "5", "", ""], "bank's code"],
  ["a code of seven digits", ["1", "1234567", "5", "", ""], "bank's code"],
])("%s is one mistake, and is told", (_case, cells, about) => {
  const [row] = readRows([{ line: 2, cells }], whole, "b");
  expect(row?.mistakes).toEqual([expect.stringContaining(about)]);
});

test("a row that is shorter than the titles is wrong and does not stop the others", () => {
  const rows = [
    { line: 2, cells: ["0123456789"] },
    { line: 3, cells: ["0123456789", "058", "10"] },
  ];
  const [short, good] = readRows(rows, whole, "b");
  expect(short?.mistakes).toHaveLength(2);
  expect(good).toMatchObject({ line: 3, reference: "b-2", narration: "", mistakes: [] });
});

test("a column that nobody named is empty, not the first one", () => {
  const mapping = { ...whole, reference: null, narration: null };
  const [row] = readRows([{ line: 2, cells: ["1", "1", "1", "x", "y"] }], mapping, "b");
  expect(row).toMatchObject({ reference: "b-1", narration: "" });
});

test("a title is taken for one field at most", () => {
  const titles = ["account", "nuban", "bank", "bank code", "amount", "naira", "ref", "id", "note", "remarks", "name"];
  fc.assert(
    fc.property(fc.shuffledSubarray(titles), (given) => {
      const places = Object.values(guessMapping(given)).filter((place) => place !== null);
      expect(new Set(places).size).toBe(places.length);
      expect(places).not.toContain(given.indexOf("name"));
    }),
  );
});

test("a total is the sum of its kobo, for any number of rows", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 99_999_999_999 }), { maxLength: 50 }), (kobo) => {
      const sum = kobo.reduce((total, each) => total + BigInt(each), 0n);
      const told = totalOf(kobo.map((each) => ({ amount: each / 100 })));
      expect(told).toMatch(/^\d+\.\d{2}$/);
      expect(BigInt(told.replace(".", ""))).toBe(sum);
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
