/** Reading a wallet's statement: a page of it, or all of it piece by piece. */
import { findSpan, readStatement, type SpanExtent, type StatementLine } from "../ledger/statement.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Read } from "../platform/http/route.ts";
import { type PageRequest, type Pagination, pageRange, paginationOf } from "../platform/records/pagination.ts";
import type { Span } from "../platform/time/time-span.ts";
import { csvHeader, csvLine } from "./statement-line.ts";

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

const chunkLines = 500n;

/**
 * The whole span as CSV, newest first. Each chunk is read when the one before it has been taken, in a short transaction
 * of its own: a slow reader holds neither memory nor a connection. Entries never change and new ones are above
 * `extent`, so the chunks belong together all the same.
 */
export async function* streamStatement(
  read: Read,
  { accountId }: StatementRequest,
  extent: SpanExtent,
): AsyncGenerator<string> {
  yield csvHeader;
  for (let last = extent.last; last >= extent.first; last -= chunkLines) {
    const first = last - chunkLines + 1n;
    const range = { first: first < extent.first ? extent.first : first, last };
    const lines = await read((tx) => readStatement(tx, accountId, range));
    yield lines.map(csvLine).join("");
  }
}
