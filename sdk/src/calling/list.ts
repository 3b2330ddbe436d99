/** Lists of both families, page by page or item by item. */
import { isRecord } from "../wire/casing.ts";

export interface Page<Item> {
  readonly items: Item[];
  /** 1 is the first. */
  readonly page: number;
  readonly perPage: number;
  readonly hasNext: boolean;
  /** Null where the API does not count: lists under `/loans`. */
  readonly totalItems: number | null;
  readonly totalPages: number | null;
}

/**
 * Nothing is asked before you begin to read. `for await (const item of list)` reads every item of every page, newest
 * first. Items that are made meanwhile push others to a later page; those are not shown twice.
 */
export interface List<Item> extends AsyncIterable<Item> {
  /** One page: the one that the query names, or the first. */
  page(): Promise<Page<Item>>;
  pages(): AsyncIterable<Page<Item>>;
  /** Every item, at most as many as you say. */
  toArray(atMost?: number): Promise<Item[]>;
}

interface PageQuery {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

type ReadPage = (query: object) => Promise<{ readonly body: Record<string, unknown> }>;

/** A page of the server's size would be ten items. */
const wholePage = 100;

export function createList<Item>(read: ReadPage, query: PageQuery = {}): List<Item> {
  const pages = async function* (): AsyncGenerator<Page<Item>> {
    for (let page = query.page ?? 1; ; page += 1) {
      const found = pageOf<Item>((await read({ limit: wholePage, ...query, page })).body);
      yield found;
      if (!found.hasNext) return;
    }
  };
  const items = async function* (): AsyncGenerator<Item> {
    const seen = new Set<unknown>();
    for await (const page of pages()) {
      for (const item of page.items) {
        const id = isRecord(item) ? item["id"] : undefined;
        if (id !== undefined && seen.has(id)) continue;
        seen.add(id);
        yield item;
      }
    }
  };
  return {
    [Symbol.asyncIterator]: items,
    pages: () => ({ [Symbol.asyncIterator]: pages }),
    page: async () => pageOf<Item>((await read(query)).body),
    async toArray(atMost = Number.POSITIVE_INFINITY) {
      const found: Item[] = [];
      if (atMost <= 0) return found;
      for await (const item of items()) {
        found.push(item);
        if (found.length >= atMost) break;
      }
      return found;
    },
  };
}

function pageOf<Item>({ data, meta, pagination }: Record<string, unknown>): Page<Item> {
  const items = data as Item[];
  if (isRecord(pagination)) {
    const { currentPage, itemsPerPage, hasNextPage, totalItems, totalPages } = pagination;
    return {
      items,
      page: Number(currentPage),
      perPage: Number(itemsPerPage),
      hasNext: hasNextPage === true,
      totalItems: Number(totalItems),
      totalPages: Number(totalPages),
    };
  }
  const { currentPage, perPage, nextPage } = isRecord(meta) ? meta : {};
  return {
    items,
    page: Number(currentPage),
    perPage: Number(perPage),
    hasNext: typeof nextPage === "number",
    totalItems: null,
    totalPages: null,
  };
}
