/**
 * Lists that stay exact and cheap at any length. Each listed row carries a number, its position in the list of its
 * environment, and a counter holds how many there are. Rows are never deleted, so a page is a range of numbers that an
 * index finds at once: page 1,000,000 costs what page 1 costs, and totals are read, not counted.
 *
 * The counter's row is locked from the moment a position is taken until the transaction ends. That is what makes
 * positions gapless and visible in order, and why a hot writer takes its positions last and many at a time.
 */
import { type RawBuilder, sql } from "kysely";
import { type Static, Type } from "typebox";
import type { Tx } from "../database/database.ts";

const defaultLimit = 10;

const pageNumber = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 1,
  description: "Which page; 1 is the first. A page past the end is empty.",
});

/** The query string of a list. */
export const pageQuery = Type.Object({
  page: Type.Optional(pageNumber),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: defaultLimit, description: "How many items a page holds." }),
  ),
});

export interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

/** What accompanies a list of the general family. */
export interface Pagination {
  readonly currentPage: number;
  readonly totalPages: number;
  readonly totalItems: number;
  readonly itemsPerPage: number;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** What accompanies a list of the loans family. */
export interface PageMeta {
  readonly current_page: number;
  readonly next_page: number | null;
  readonly prev_page: number | null;
  readonly per_page: number;
}

/** Positions from `first` to `last`, both included; empty when `last` is before `first`. Read them newest first. */
export interface PositionRange {
  readonly first: bigint;
  readonly last: bigint;
}

export function pageOf(query: Static<typeof pageQuery>): PageRequest {
  return { page: query.page ?? 1, limit: query.limit ?? defaultLimit };
}

/** Takes `count` consecutive positions of a list and returns the first of them. */
export async function takePositions(tx: Tx, resource: string, count: number): Promise<bigint> {
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`cannot take ${count} positions`);
  const taken = await sql<{ first: bigint }>`
    select take_list_positions(${resource}, ${count}) as first`.execute(tx);
  const first = taken.rows[0]?.first;
  if (first === undefined) throw new Error(`no position was given for ${resource}`);
  return first;
}

/** The same within the statement that writes the rows: the position of the first of `count`, taken once. */
export function positionsFrom(resource: string, count: number): RawBuilder<bigint> {
  return sql<bigint>`(select take_list_positions(${resource}, ${count}))`;
}

/** How many rows the list holds. */
export async function readTotal(tx: Tx, resource: string): Promise<bigint> {
  const counter = await tx
    .selectFrom("list_counters")
    .select("total")
    .where("environment_id", "=", tx.environment.id)
    .where("resource", "=", resource)
    .executeTakeFirst();
  return counter?.total ?? 0n;
}

/** The positions on a page, counted from the newest. */
export function pageRange(total: bigint, page: number, limit: number): PositionRange {
  const last = total - BigInt(page - 1) * BigInt(limit);
  if (last < 1n) return { first: 1n, last: 0n };
  const first = last - BigInt(limit) + 1n;
  return { first: first < 1n ? 1n : first, last };
}

/**
 * Reads one page of an unfiltered list. The total is read before the rows: a row written in between has a position
 * beyond the page's range, so the two always agree.
 */
export async function readPage<Row>(
  tx: Tx,
  resource: string,
  { page, limit }: PageRequest,
  readRows: (range: PositionRange) => Promise<Row[]>,
): Promise<{ rows: Row[]; total: bigint; pagination: Pagination }> {
  const total = await readTotal(tx, resource);
  const range = pageRange(total, page, limit);
  const rows = range.last < range.first ? [] : await readRows(range);
  return { rows, total, pagination: paginationOf(total, page, limit) };
}

export function paginationOf(total: bigint, page: number, limit: number): Pagination {
  const totalPages = countPages(total, limit);
  return {
    currentPage: page,
    totalPages,
    totalItems: Number(total),
    itemsPerPage: limit,
    hasNextPage: page < totalPages,
    hasPreviousPage: page > 1,
  };
}

export function pageMetaOf(total: bigint, page: number, perPage: number): PageMeta {
  return {
    current_page: page,
    next_page: page < countPages(total, perPage) ? page + 1 : null,
    prev_page: page > 1 ? page - 1 : null,
    per_page: perPage,
  };
}

function countPages(total: bigint, limit: number): number {
  const perPage = BigInt(limit);
  return Number((total + perPage - 1n) / perPage);
}
