import { afterEach, expect, test, vi } from "vitest";
import { environmentDoor } from "./client.ts";
import { csvCell, csvOf, readAll } from "./csv.ts";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["plain", "plain"],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  ["=SUM(A1)", "'=SUM(A1)"],
  ["+234", "'+234"],
  [" =1", "' =1"],
  ["＝1", "'＝1"],
  ["Rent;=1", "Rent;'=1"],
  ["Rent\t=1", "Rent\t'=1"],
  [-12.5, "-12.5"],
  [null, ""],
  [undefined, ""],
  [true, "true"],
])("%j is written as %j", (value, text) => {
  expect(csvCell(value)).toBe(text);
});

test("a file has a line of titles, a line for each row, and ends with one", () => {
  const file = csvOf(
    [
      ["Reference", (row: { reference: string; amount: number }) => row.reference],
      ["Amount", (row) => row.amount],
    ],
    [
      { reference: "a", amount: 1.5 },
      { reference: "b", amount: 2 },
    ],
  );
  expect(file).toBe("Reference,Amount\r\na,1.5\r\nb,2\r\n");
});

test("all pages are read, with the filters that the list had", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    const page = Number(new URL(url, "http://x").searchParams.get("page"));
    return Promise.resolve(
      Response.json({ data: [page], pagination: { currentPage: page, totalItems: 3, hasNextPage: page < 3 } }),
    );
  });
  expect(await readAll(environmentDoor("e"), "/transfers", { status: "failed" })).toEqual([1, 2, 3]);
  expect(asked.every((url) => url.includes("status=failed"))).toBe(true);
});
