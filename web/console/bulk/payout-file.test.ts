import fc from "fast-check";
import { expect, test } from "vitest";
import { csvCell, csvOf } from "../api/csv.ts";
import { draftRows, forEachOf, guessMapping, judgeRows, parseTable } from "./payout-file.ts";

test.each([
  [
    "commas",
    "a,b\n1,2",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "semicolons",
    "a;b\r\n1;2,5\r\n",
    [
      ["a", "b"],
      ["1", "2,5"],
    ],
  ],
  [
    "tabs",
    "a\tb\n1\t2",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "quotes, commas and lines inside",
    'a,b\n"x, ""y""","two\nlines"',
    [
      ["a", "b"],
      ['x, "y"', "two\nlines"],
    ],
  ],
  [
    "a byte order mark and empty lines",
    "\uFEFFa,b\n\n1,2\n,\n",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  ["nothing", "", []],
])("a file with %s is read", (_case, text, rows) => {
  expect(parseTable(text).map(({ cells }) => cells)).toEqual(rows);
});

test("what the console writes, it reads again", () => {
  // What a spreadsheet would run is written with an apostrophe, and read so.
  const isWrittenAsItIs = (text: string) => csvCell(text).replace(/^"|"$/g, "").replaceAll('""', '"') === text;
  const word = fc
    .string({ minLength: 1 })
    .filter((text) => text.trim() === text && isWrittenAsItIs(text) && !/\r/.test(text));
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 5 }), (rows) => {
      const file = csvOf<readonly [string, string]>(
        [
          ["one", ([one]) => one],
          ["two", ([, two]) => two],
        ],
        rows,
      );
      expect(
        parseTable(file)
          .slice(1)
          .map(({ cells }) => cells),
      ).toEqual(rows);
    }),
  );
});

test("columns are recognised by what people call them", () => {
  expect(guessMapping(["Name", "Account No", "BANK CODE", "Amount (NGN)", "Ref", "Description"])).toEqual({
    accountNumber: 1,
    bankCode: 2,
    amount: 3,
    name: 0,
    reference: 4,
    narration: 5,
  });
  expect(guessMapping(["x"]).amount).toBeNull();
});

/** As if they stood right below the titles. */
const below = (...rows: string[][]) => rows.map((cells, index) => ({ line: index + 2, cells }));

const mapping = { accountNumber: 0, bankCode: 1, amount: 2, name: null, reference: 3, narration: null };
const judged = (...rows: string[][]) => judgeRows(draftRows(below(...rows), mapping));

test("a zero that a spreadsheet took from an account is proposed, and somebody must agree", () => {
  const [row] = judged(["123456789", "58", "₦2,500.50", ""]);
  expect(row).toMatchObject({ line: 2, accountNumber: "0123456789", bankCode: "058", amount: 2500.5, mistakes: [] });
  expect(row?.doubts).toEqual(["The file has 123456789, without a zero at the front. Pay 0123456789?"]);
});

test.each([
  ["12345", "The account number has 5 digits. It needs ten."],
  ["12345678", "The account number has 8 digits. It needs ten."],
  ["1", "The account number has 1 digit. It needs ten."],
  ["12345678901", "The account number has 11 digits. It needs ten."],
  ["1.23457E+08", "An account number has ten digits and nothing else."],
  ["", "The account number is missing."],
])("the account number %j is never padded into another: it is a mistake", (cell, text) => {
  const [row] = judged([cell, "058", "100", ""]);
  expect(row?.mistakes).toEqual([{ field: "accountNumber", text }]);
  expect(row?.accountNumber).toBe(cell);
});

test("each mistake of a row is named at its field, and a reference that stands above", () => {
  const rows = judged(["12345678901", "", "1.234", "a"], ["0123456789", "058", "100", "a"]);
  expect(rows[0]?.mistakes.map(({ field }) => field)).toEqual(["accountNumber", "bankCode", "amount"]);
  expect(rows[1]?.mistakes).toEqual([
    { field: "reference", text: "Line 2 has this reference. Give this row another one." },
  ]);
});

test("a row that pays the same account the same amount as one above needs a word", () => {
  const rows = judged(
    ["0123456789", "058", "100", ""],
    ["0123456789", "58", "100.00", ""],
    ["0123456789", "058", "5", ""],
  );
  expect(rows.map(({ doubts }) => doubts)).toEqual([[], ["Line 2 pays the same account the same amount."], []]);
});

test("a few tasks run at a time, and each item is done once", async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await forEachOf([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    done.push(item);
  });
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});

test("a spreadsheet that writes decimals with a comma is not paid a hundred times over", () => {
  const [head, ...rows] = parseTable("account;bank;amount\n0123456789;058;2500,50\n0123456789;058;2.500,50");
  const read = judgeRows(draftRows(rows, guessMapping(head?.cells ?? [])));
  expect(read).toHaveLength(2);
  for (const { amount, mistakes } of read) {
    expect(amount).toBeNaN();
    expect(mistakes.map(({ field }) => field)).toEqual(["amount"]);
  }
});

test.each([
  ["nothing empty", "account,bank,amount\n1,58,1\n2,58,2", [2, 3]],
  ["an empty line above the titles", "\naccount,bank,amount\n1,58,1\n2,58,2", [3, 4]],
  ["an empty line above titles with semicolons", "\r\naccount;bank;amount\r\n1;58;1\r\n2;58;2", [3, 4]],
  ["empty lines between rows", "account,bank,amount\n\n1,58,1\n,,\n \n2,58,2\n\n", [3, 6]],
  ["a cell of two lines, which a spreadsheet counts as one", 'account,bank,amount\n"1\n",58,1\n2,58,2', [2, 3]],
])("a row has the line that a spreadsheet shows for it: %s", (_case, text, lines) => {
  const [head, ...rows] = parseTable(text);
  expect(draftRows(rows, guessMapping(head?.cells ?? [])).map(({ line }) => line)).toEqual(lines);
});
