import { expect, test } from "vitest";
import { createList } from "./list.ts";

interface Row {
  readonly id: string;
}
type Query = { readonly page?: number; readonly limit?: number; readonly status?: string };

const rows = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ id: `r${at}` }));

/** Pages as the API writes them, once it has been put into camelCase; `asked` keeps the queries. */
function listOf(all: readonly Row[], family: "pagination" | "meta" = "pagination") {
  const asked: Query[] = [];
  const read = async (query: Query) => {
    asked.push(query);
    const [page, limit] = [query.page ?? 1, query.limit ?? 10];
    const end = page * limit;
    const hasNextPage = end < all.length;
    const pagination = {
      currentPage: page,
      itemsPerPage: limit,
      hasNextPage,
      totalItems: all.length,
      totalPages: Math.ceil(all.length / limit),
    };
    const meta = { currentPage: page, perPage: limit, nextPage: hasNextPage ? page + 1 : null };
    return { body: { data: all.slice(end - limit, end), ...(family === "meta" ? { meta } : { pagination }) } };
  };
  return { asked, list: (query: Query = {}) => createList<Row>(read, query) };
}

async function idsOf(items: AsyncIterable<Row>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

test("nothing is asked before somebody reads", async () => {
  const { asked, list } = listOf(rows(3));
  const lazy = list();
  expect(asked).toEqual([]);
  await lazy.page();
  expect(asked).toEqual([{}]);
});

test.each(["pagination", "meta"] as const)("every item of every page comes once, in order (%s)", async (family) => {
  const { asked, list } = listOf(rows(250), family);
  expect(await idsOf(list({ status: "failed" }))).toEqual(rows(250).map(({ id }) => id));
  expect(asked).toEqual([1, 2, 3].map((page) => ({ limit: 100, status: "failed", page })));
});

test.each([0, 1, 100, 101, 200])("of %d items none is lost at the edge of a page", async (count) => {
  const { asked, list } = listOf(rows(count));
  expect(await idsOf(list())).toHaveLength(count);
  expect(asked).toHaveLength(Math.max(1, Math.ceil(count / 100)));
});

test("an item that is pushed to a later page meanwhile is not shown twice", async () => {
  const all = rows(4);
  const { list } = listOf(all);
  const read: string[] = [];
  for await (const { id } of list({ limit: 2 })) {
    read.push(id);
    if (read.length === 1) all.unshift({ id: "new" });
  }
  expect(read).toEqual(["r0", "r1", "r2", "r3"]);
});

test("items without an id are all shown", async () => {
  const { list } = listOf([{}, {}, {}] as unknown as Row[]);
  expect(await list().toArray()).toHaveLength(3);
});

test.each([
  [-1, 0, 0],
  [0, 0, 0],
  [1, 1, 1],
  [100, 100, 1],
  [101, 101, 2],
  [999, 250, 3],
])("toArray(%d) returns %d items and asks for %d pages", async (atMost, wanted, pages) => {
  const { asked, list } = listOf(rows(250));
  expect(await list().toArray(atMost)).toHaveLength(wanted);
  expect(asked).toHaveLength(pages);
});

test("who stops reading stops asking", async () => {
  const { asked, list } = listOf(rows(500));
  for await (const { id } of list()) if (id === "r150") break;
  expect(asked).toHaveLength(2);
});

test("pages begin with the one that the query names", async () => {
  const { asked, list } = listOf(rows(25));
  const numbers: number[] = [];
  for await (const { page } of list({ page: 2, limit: 10 }).pages()) numbers.push(page);
  expect(numbers).toEqual([2, 3]);
  expect(asked).toHaveLength(2);
});

test("a page tells where it stands; lists under /loans do not count", async () => {
  const whole = { page: 1, perPage: 10, hasNext: true };
  expect(await listOf(rows(25)).list().page()).toMatchObject({ ...whole, totalItems: 25, totalPages: 3 });
  expect(await listOf(rows(25), "meta").list().page()).toMatchObject({ ...whole, totalItems: null, totalPages: null });
});

test("one list can be read several times", async () => {
  const { list } = listOf(rows(3));
  const twice = list();
  expect(await idsOf(twice)).toEqual(await idsOf(twice));
});

test("a refusal on the way ends the reading with it", async () => {
  const broken = createList<Row>(async () => {
    throw new Error("refused");
  });
  await expect(idsOf(broken)).rejects.toThrow("refused");
});
