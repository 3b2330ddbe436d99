/** Reading a wallet's statement: a page of it, or all of it piece by piece. */
import {
  countEntries,
  findSpan,
  readSpan,
  readStatement,
  type SpanExtent,
  type StatementLine,
} from "../ledger/statement.ts";
import { type Database, inEnvironment, type Tx } from "../platform/database.ts";
import { type PageRequest, type Pagination, pageRange, paginationOf } from "../platform/pagination.ts";
import type { Span } from "../platform/time-span.ts";
import { csvHeader, csvLine } from "./statement-line.ts";

export interface StatementRequest {
  readonly accountId: string;
  readonly span: Span;
}

/** Without a span any page costs the same; with one the account's entries are counted over their index. */
export async function readStatementPage(
  tx: Tx,
  { accountId, span }: StatementRequest,
  { page, limit }: PageRequest,
): Promise<{ rows: StatementLine[]; pagination: Pagination }> {
  if (isUnbounded(span)) {
    const total = await countEntries(tx, accountId);
    const range = pageRange(total, page, limit);
    const rows = range.last < range.first ? [] : await readStatement(tx, accountId, range);
    return { rows, pagination: paginationOf(total, page, limit) };
  }
  const extent = await findSpan(tx, accountId, span);
  const skip = BigInt(page - 1) * BigInt(limit);
  const rows = skip >= extent.count ? [] : await readSpan(tx, accountId, { ...extent, ...span, skip, limit });
  return { rows, pagination: paginationOf(extent.count, page, limit) };
}

/** Where the statement begins and ends; nothing is counted when all of it is wanted. */
export async function findStatement(tx: Tx, { accountId, span }: StatementRequest): Promise<SpanExtent> {
  if (!isUnbounded(span)) return findSpan(tx, accountId, span);
  const count = await countEntries(tx, accountId);
  return { first: 1n, last: count, count };
}

function isUnbounded(span: Span): boolean {
  return span.from === null && span.to === null;
}

const chunkLines = 500;

/**
 * The whole span as CSV, newest first. Each chunk is read when the one before it has been taken, in a short transaction
 * of its own: a slow reader holds neither memory nor a connection. Entries never change and new ones are above
 * `extent`, so the chunks belong together all the same.
 */
export async function* streamStatement(
  db: Database,
  environmentId: string,
  { accountId, span }: StatementRequest,
  extent: SpanExtent,
): AsyncGenerator<string> {
  yield csvHeader;
  let last = extent.last;
  while (last >= extent.first) {
    const page = { ...span, first: extent.first, last, skip: 0n, limit: chunkLines };
    const lines = await inEnvironment(db, environmentId, (tx) => readSpan(tx, accountId, page), { readOnly: true });
    const oldest = lines.at(-1);
    if (oldest === undefined) return;
    yield lines.map(csvLine).join("");
    last = oldest.number - 1n;
  }
}
