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
  "\t=1",
  "\r=1",
  "\n=1",
  "\r\n=1",
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
  " \n =1",
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

test.each(["", "Rent", "A=B", "1-2", " Rent", "1＝1", "Ade + Bola", "two\nlines"])("%j stays as it is", (text) => {
  expect(foreignText(text)).toBe(text);
});
