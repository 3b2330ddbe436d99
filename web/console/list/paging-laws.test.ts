/** Which pages of a list are read, how long it is said to be, and what of an address its filters take. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { addressOf, type ListPage, pageOf } from "../api/client.ts";
import { chosen, type Filter } from "./description.ts";
import { countRows, pagesBeside } from "./use-rows.ts";

const perPage = 50;

/** The first page of a list of so many, counted or not. */
function firstOf(total: number, counted: boolean): ListPage<number> {
  const rows = Array.from({ length: Math.min(total, perPage) }, (_, at) => at);
  return { rows, nextPage: total > perPage ? 2 : null, total: counted ? total : null };
}
const lastPage = (total: number) => Math.max(1, Math.ceil(total / perPage));
const near = fc.tuple(fc.integer({ min: 1, max: 400 }), fc.nat({ max: 5 }));

test("of a counted list no page is read that it does not have, and none twice", () => {
  fc.assert(
    fc.property(fc.nat({ max: 15_000 }), near, (total, [first, more]) => {
      const numbers = pagesBeside({ first, last: first + more }, firstOf(total, true));
      expect(new Set(numbers).size).toBe(numbers.length);
      for (const number of numbers) {
        expect(number).toBeGreaterThan(1);
        expect(number).toBeLessThanOrEqual(lastPage(total));
      }
    }),
  );
});

test("every page in view that there is gets read", () => {
  fc.assert(
    fc.property(fc.integer({ min: 51, max: 15_000 }), near, (total, [first, more]) => {
      const numbers = pagesBeside({ first, last: first + more }, firstOf(total, true));
      for (let page = Math.max(2, first); page <= Math.min(first + more, lastPage(total)); page += 1)
        expect(numbers).toContain(page);
    }),
  );
});

test("a list that is counted is as long as it says, whatever was read of it", () => {
  fc.assert(fc.property(fc.nat({ max: 1_000_000 }), (total) => countRows(firstOf(total, true), []) === total));
});

test("one that is not counted grows while it is read, never shrinks, and ends where it ends", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000 }), (total) => {
      const first = firstOf(total, false);
      const known: [readonly unknown[], ListPage<unknown>][] = [];
      let before = 0;
      for (let page = 1; page <= lastPage(total); page += 1) {
        const length = Math.min(perPage, total - (page - 1) * perPage);
        const rows = Array.from({ length }, () => null);
        const nextPage = page < lastPage(total) ? page + 1 : null;
        known.push([["room", page], { rows, nextPage, total: null }]);
        const count = countRows(first, known);
        expect(count).toBeGreaterThanOrEqual(Math.min(before, total));
        expect(count).toBeGreaterThanOrEqual(rows.length);
        before = count;
      }
      expect(before).toBe(total);
    }),
  );
});

test("a page that is still on its way counts for nothing", () => {
  const known = [[["room", 2], undefined]] as const;
  expect(countRows(firstOf(200, false), known)).toBe(100);
});

const filters: readonly Filter[] = [
  { kind: "choice", name: "status", label: "Status", options: ["open"] },
  { kind: "text", name: "reference", label: "Reference" },
  { kind: "amount", name: "amount", label: "Amount" },
];

test.each([
  ["nothing", {}, {}],
  ["an empty text", { status: "", reference: null, amount: undefined }, {}],
  ["a number, which an address gives for digits", { amount: 2500, reference: 7 }, { amount: "2500", reference: "7" }],
  ["nought, which is something", { amount: 0 }, { amount: "0" }],
  ["what no filter knows", { status: "open", page: 3, token: "t" }, { status: "open" }],
  ["a truth value", { status: false }, { status: "false" }],
])("of an address with %s the filters take their own", (_case, search, taken) => {
  expect(chosen(filters, search)).toEqual(taken);
});

test("what is asked with parameters can be read from the address again", () => {
  const params = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(fc.string({ minLength: 1 }), fc.nat()));
  fc.assert(
    fc.property(params, fc.constantFrom("/transfers", "/transfers?status=failed"), (given, path) => {
      fc.pre(!Object.hasOwn(given, "status"));
      const url = new URL(addressOf(path, given), "https://jara.example");
      expect(url.pathname).toBe("/transfers");
      for (const [name, value] of Object.entries(given))
        expect(url.searchParams.get(name)).toBe(String(value).toWellFormed());
      expect(url.searchParams.get("status")).toBe(path.includes("?") ? "failed" : null);
    }),
  );
});

test("parameters that are empty or not given leave no trace in the address", () => {
  expect(addressOf("/bills", { status: "", page: undefined })).toBe("/bills");
  expect(addressOf("/bills", { status: "", page: 0 })).toBe("/bills?page=0");
});

test.each([
  ["counted", { data: [1], pagination: { currentPage: 2, totalItems: 51, hasNextPage: false } }, [null, 51]],
  ["counted, with more", { data: [1], pagination: { currentPage: 2, totalItems: 151, hasNextPage: true } }, [3, 151]],
  ["of the loans API", { data: [1], meta: { next_page: 4 } }, [4, null]],
  ["at the end of the loans API", { data: [1], meta: { next_page: null } }, [null, null]],
  ["on one page", { data: [1, 2] }, [null, 2]],
  ["without data", {}, [null, 0]],
  ["with data that is no list", { data: { id: "x" } }, [null, 0]],
])("a reply %s tells what follows and how many there are", (_case, reply, [nextPage, total]) => {
  expect(pageOf(reply)).toMatchObject({ nextPage, total });
});
