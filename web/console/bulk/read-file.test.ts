import { expect, test } from "vitest";
import { guessMapping, readRows } from "./payout-file.ts";
import { cellText, readTable } from "./read-file.ts";
import { sampleSpreadsheet } from "./sample-spreadsheet.ts";

test("a spreadsheet is read like a CSV file, and gets back the zeros that it dropped", async () => {
  const [head, ...rows] = await readTable(new File([sampleSpreadsheet], "May.XLSX"));
  const titles = head?.cells ?? [];
  expect(titles).toEqual(["account number", "bank code", "amount", "narration"]);
  const read = readRows(rows, guessMapping(titles), "may");
  expect(
    read.map(({ line, accountNumber, bankCode, amount, mistakes }) => [
      line,
      accountNumber,
      bankCode,
      amount,
      mistakes,
    ]),
  ).toEqual([
    [2, "0123456789", "058", 2500.5, []],
    [3, "0690000032", "044", 1000, []],
  ]);
});

test("a CSV file is read as before", async () => {
  expect(await readTable(new File(["a,b\n1,2"], "x.csv"))).toEqual([
    { line: 1, cells: ["a", "b"] },
    { line: 2, cells: ["1", "2"] },
  ]);
});

test("what only calls itself a spreadsheet is refused in words", async () => {
  await expect(readTable(new File(["a,b"], "x.xlsx"))).rejects.toThrow("Save it as CSV");
});

test.each([
  [null, ""],
  [44, "44"],
  [2500.5, "2500.5"],
  [" May ", "May"],
  [new Date("2026-05-01T00:00:00Z"), "2026-05-01"],
])("the cell %s is the text %s", (cell, text) => {
  expect(cellText(cell)).toBe(text);
});
