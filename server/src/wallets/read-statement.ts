/** Reading a wallet's statement: a page of it, or all of it piece by piece. */

import { findSpan, readStatement, type SpanExtent, type StatementLine } from "../ledger/statement.ts";
import { mostLines, readStatementPart, type StatementPart } from "../ledger/statement-file.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Read } from "../platform/http/route.ts";
import { type PageRequest, type Pagination, pageRange, paginationOf } from "../platform/records/pagination.ts";
import type { Span } from "../platform/time/time-span.ts";
import { csvHeader, csvOf } from "./statement-line.ts";

export interface StatementRequest {
  readonly accountId: string;
  readonly span: Span;
}

/** A page is a range of numbers, with a span or without one, and costs the same wherever it lies. */
export async function readStatementPage(
  tx: Tx,
  wanted: StatementRequest,
  { page, limit }: PageRequest,
): Promise<{ rows: StatementLine[]; pagination: Pagination }> {
  const { first, last } = await findStatement(tx, wanted);
  const total = last < first ? 0n : last - first + 1n;
  const range = pageRange(total, page, limit);
  const below = first - 1n;
  const numbers = { first: below + range.first, last: below + range.last };
  const rows = range.last < range.first ? [] : await readStatement(tx, wanted.accountId, numbers);
  return { rows, pagination: paginationOf(total, page, limit) };
}

/** Where the statement begins and ends. */
export function findStatement(tx: Tx, { accountId, span }: StatementRequest): Promise<SpanExtent> {
  return findSpan(tx, accountId, span);
}

/** With one, PostgreSQL would rest while we send what it made, and we while it makes the next. */
const partsAhead = 2;

/**
 * The whole span as CSV, newest first. Each part is read in a short transaction of its own, the next ones while one is
 * being taken, and no further ahead: a slow reader holds little memory and no connection. Entries never change and new
 * ones are above `extent`, so the parts belong together all the same.
 */
export async function* streamStatement(
  read: Read,
  { accountId }: StatementRequest,
  extent: SpanExtent,
): AsyncGenerator<string> {
  yield csvHeader;
  let { last } = extent;
  const readNext = (): Promise<StatementPart> | undefined => {
    if (last < extent.first) return undefined;
    const first = last - mostLines + 1n;
    const range = { first: first < extent.first ? extent.first : first, last };
    last -= mostLines;
    const reading = read((tx) => readStatementPart(tx, accountId, range));
    // A caller who leaves never comes to it.
    reading.catch(() => undefined);
    return reading;
  };
  const underWay = Array.from({ length: partsAhead }, readNext);
  for (let next = underWay.shift(); next !== undefined; next = underWay.shift()) {
    const part = await next;
    underWay.push(readNext());
    yield csvOf(part);
  }
}
