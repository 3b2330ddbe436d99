import fc from "fast-check";
import { expect, test } from "vitest";
import { csvCell, csvOf } from "../api/csv.ts";
import { forEachOf, guessMapping, parseTable, readRows, totalOf } from "./payout-file.ts";

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
    reference: 4,
    narration: 5,
  });
  expect(guessMapping(["x"]).amount).toBeNull();
});

/** As if they stood right below the titles. */
const below = (...rows: string[][]) => rows.map((cells, index) => ({ line: index + 2, cells }));

const mapping = { accountNumber: 0, bankCode: 1, amount: 2, reference: 3, narration: null };

test("zeros that a spreadsheet took away come back, and a row without a reference gets one", () => {
  const [row] = readRows(below(["123456789", "58", "₦2,500.50", ""]), mapping, "may");
  expect(row).toMatchObject({
    line: 2,
    accountNumber: "0123456789",
    bankCode: "058",
    amount: 2500.5,
    reference: "may-1",
    mistakes: [],
  });
});

test("each mistake of a row is named", () => {
  const rows = readRows(below(["12345678901", "", "1.234", "a"], ["0123456789", "058", "100", "a"]), mapping, "may");
  expect(rows[0]?.mistakes).toHaveLength(3);
  expect(rows[1]?.mistakes).toEqual(["The reference stands in the file twice."]);
});

test("totals are exact to the kobo", () => {
  expect(totalOf(Array.from({ length: 10 }, () => ({ amount: 0.1 })))).toBe("1.00");
  expect(totalOf([{ amount: 2500.55 }, { amount: 199.99 }])).toBe("2700.54");
  expect(totalOf([])).toBe("0.00");
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
  const read = readRows(rows, guessMapping(head?.cells ?? []), "may");
  expect(read).toHaveLength(2);
  for (const { amount, mistakes } of read) {
    expect(amount).toBeNaN();
    expect(mistakes).toEqual(["The amount is no naira with at most two decimals."]);
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
  const read = readRows(rows, guessMapping(head?.cells ?? []), "may");
  expect(read.map(({ line }) => line)).toEqual(lines);
  // The references that we make count the payouts, and not the lines.
  expect(read.map(({ reference }) => reference)).toEqual(["may-1", "may-2"]);
  expect(read.flatMap(({ mistakes }) => mistakes)).toEqual([]);
});
