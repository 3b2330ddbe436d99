import { expect, test } from "vitest";
import { draftRows, guessMapping, judgeRows } from "./payout-file.ts";
import { cellText, readTable } from "./read-file.ts";
import { sampleSpreadsheet } from "./sample-spreadsheet.ts";
import { templateCsv, templateSpreadsheet } from "./template.ts";

test("a spreadsheet is read like a CSV file, and a zero that it dropped is proposed", async () => {
  const [head, ...rows] = await readTable(new File([sampleSpreadsheet], "May.XLSX"));
  const titles = head?.cells ?? [];
  expect(titles).toEqual(["account number", "bank code", "amount", "narration"]);
  const read = judgeRows(draftRows(rows, guessMapping(titles)));
  expect(
    read.map(({ line, accountNumber, bankCode, amount, doubts }) => [
      line,
      accountNumber,
      bankCode,
      amount,
      doubts.length,
    ]),
  ).toEqual([
    [2, "0123456789", "058", 2500.5, 1],
    [3, "0690000032", "044", 1000, 0],
  ]);
});

test("the templates are files that the page reads without a question", async () => {
  for (const file of [new File([templateSpreadsheet()], "t.xlsx"), new File([templateCsv], "t.csv")]) {
    const [head, ...rows] = await readTable(file);
    const [row] = judgeRows(draftRows(rows, guessMapping(head?.cells ?? [])));
    expect(row).toMatchObject({ accountNumber: "0123456789", bankCode: "058", amount: 2500.5, name: "Ada Obi" });
    expect([row?.mistakes, row?.doubts]).toEqual([[], []]);
  }
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
