import { expect, test } from "vitest";
import { csvRow, foreignText } from "./csv.ts";

test.each([
  [["a", "b"], "a,b\r\n"],
  [["a,b", "c"], '"a,b",c\r\n'],
  [['say "hi"', ""], '"say ""hi""",\r\n'],
  [["two\nlines", "two\r\nlines"], '"two\nlines","two\r\nlines"\r\n'],
  [["Ọ̀rẹ́ ₦"], "Ọ̀rẹ́ ₦\r\n"],
])("%j is the row %j", (fields, row) => {
  expect(csvRow(fields)).toBe(row);
});

test.each([
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "\tRent",
  "\rRent",
  "\nRent",
  " =1",
  "   +1",
  "\u00a0-1",
  "\u3000@A1",
  "\u200b=1",
  "\ufeff=1",
  "\u0000=1",
  "＝1+1",
  "＋1",
  "－1",
  "＠SUM(A1)",
  " ＝1",
  "﹦1",
  "﹢1",
  "﹣1",
  "﹫A1",
])("%j cannot run as a formula", (text) => {
  expect(foreignText(text)).toBe(`'${text}`);
});

test.each([
  ["\t=1", "'\t'=1"],
  ["\r=1", "'\r'=1"],
  ["\n=1", "'\n'=1"],
  [" \n =1", "' \n' =1"],
  ["Rent;=1+1", "Rent;'=1+1"],
  ["Rent; @SUM(A1)", "Rent;' @SUM(A1)"],
  ['Rent;"=1"', 'Rent;\'"=1"'],
  ["Rent\t+1", "Rent\t'+1"],
  ["Rent\n-1;＝2", "Rent\n'-1;'＝2"],
  ["=1;=2", "'=1;'=2"],
  ["Rent\t\t=1", "Rent\t\t'=1"],
  ["Rent;\t \r\n=1", "Rent;\t \r\n'=1"],
])("%j is %j: no spreadsheet begins a formula behind what it takes for the end of a cell", (text, harmless) => {
  expect(foreignText(text)).toBe(harmless);
});

test.each(["", "Rent", "A=B", "1-2", " Rent", "1＝1", "Ade + Bola", "two\nlines", "Rent; food", "a;b"])(
  "%j stays as it is",
  (text) => {
    expect(foreignText(text)).toBe(text);
  },
);

test("a long run of tabs is read in linear time", () => {
  const tabs = `Rent${"\t".repeat(50_000)}x`;
  const before = process.cpuUsage();
  expect(foreignText(tabs)).toBe(tabs);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(500);
});
