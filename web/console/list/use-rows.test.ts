import { expect, test } from "vitest";
import type { ListPage } from "../api/client.ts";
import { countRows, pagesBeside } from "./use-rows.ts";

const page = (rows: number, nextPage: number | null, total: number | null): ListPage<unknown> => ({
  rows: Array.from({ length: rows }, () => ({})),
  nextPage,
  total,
});

test.each([
  ["at the top of a long list, the next page is read along", { first: 1, last: 2 }, page(50, 2, 100_000), [2]],
  ["in the middle, those in view and the next", { first: 900, last: 902 }, page(50, 2, 100_000), [900, 901, 902]],
  ["at the end there is no next one", { first: 1999, last: 2001 }, page(50, 2, 100_000), [1999, 2000]],
  ["of a list that has one page nothing else is read", { first: 1, last: 2 }, page(20, null, 20), []],
  ["a list that gives everything at once has no second page", { first: 1, last: 4 }, page(120, null, 120), []],
  ["where nobody counts, the next page is tried", { first: 3, last: 4 }, page(50, 2, null), [3, 4]],
])("%s", (_, near, first, expected) => {
  expect(pagesBeside(near, first)).toEqual(expected);
});

const known = (...pages: [number, ListPage<unknown>][]) =>
  pages.map(([number, one]) => [["room", "/loans", {}, "page", number], one] as const);

test.each([
  ["a list that is counted has as many as it says", page(50, 2, 73), [], 73],
  ["a list without pages has what it gave", page(120, null, 120), [], 120],
  ["one that is not counted has a page more while there is one", page(50, 2, null), [], 100],
  [
    "and ends where the last page that was read ends",
    page(50, 2, null),
    known([2, page(50, 3, null)], [3, page(7, null, null)]),
    107,
  ],
  ["an empty one has none", page(0, null, null), [], 0],
])("%s", (_, first, pages, expected) => {
  expect(countRows(first, pages)).toBe(expected);
});
