/**
 * The rows of a list by their place in it. A page of them is read when somebody comes near it, wherever that is: a
 * hundred thousand rows cost what fifty do, and when money has moved only the pages in view are read again.
 */
import { keepPreviousData, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { type ListPage, type Params, readPage } from "../api/client.ts";
import { useRoom } from "../api/place.ts";

const rowsPerPage = 50;
/** A browser draws no element that is higher than some 33 million pixels. */
const mostRows = 200_000;

export function useRows<Row>(path: string, params: Params) {
  const { door, key } = useRoom();
  const queries = useQueryClient();
  const [near, setNear] = useState<Span>({ first: 1, last: 1 });
  const pagesKey = [key, path, params, "page"];
  const pageQuery = (page: number) => ({
    queryKey: [...pagesKey, page],
    queryFn: () => readPage<Row>(door, path, { ...params, page, limit: rowsPerPage }),
  });
  const first = useQuery({ ...pageQuery(1), placeholderData: keepPreviousData });
  const numbers = first.data === undefined ? [] : pagesBeside(near, first.data);
  const others = useQueries({ queries: numbers.map(pageQuery) });
  const pages = new Map(numbers.map((page, place) => [page, others[place]?.data]));
  const known = queries.getQueriesData<ListPage<Row>>({ queryKey: pagesKey });
  const look = useCallback((from: number, to: number) => setNear(spanOf(from, to)), []);
  return {
    first,
    failed: others.find(({ isError }) => isError),
    count: Math.min(mostRows, first.data === undefined ? 0 : countRows(first.data, known)),
    rowAt: (index: number) => first.data?.rows[index] ?? pages.get(pageOf(index))?.rows[index % rowsPerPage],
    isFetching: first.isFetching || others.some(({ isFetching }) => isFetching),
    look,
  };
}

/** Pages from one to another, both included. */
interface Span {
  readonly first: number;
  readonly last: number;
}

const pageOf = (index: number): number => Math.floor(index / rowsPerPage) + 1;

/** With the page after them, because people read on. */
function spanOf(from: number, to: number): Span {
  return { first: pageOf(from), last: pageOf(to) + 1 };
}

/** Those after the first page that there are, as far as that is known. */
export function pagesBeside({ first, last }: Span, { rows, nextPage, total }: ListPage<unknown>): number[] {
  if (nextPage === null) return [];
  const end = total === null ? last : Math.min(last, pageOf(Math.max(total, rows.length) - 1));
  return Array.from({ length: Math.max(0, end - first + 1) }, (_, place) => first + place).filter((page) => page > 1);
}

type KnownPages = readonly (readonly [readonly unknown[], ListPage<unknown> | undefined])[];

/** Where the API does not count: up to the last page, or a page more than was read while there is one. */
export function countRows({ rows, total, nextPage }: ListPage<unknown>, known: KnownPages): number {
  if (total !== null) return Math.max(total, rows.length);
  const ends = known.flatMap(([key, page]) => {
    if (page === undefined) return [];
    const end = (Number(key.at(-1)) - 1) * rowsPerPage + page.rows.length;
    return [{ end, isLast: page.nextPage === null }];
  });
  const last = ends.find(({ isLast }) => isLast);
  if (nextPage === null || last !== undefined) return last?.end ?? rows.length;
  return Math.max(rows.length, ...ends.map(({ end }) => end)) + rowsPerPage;
}
