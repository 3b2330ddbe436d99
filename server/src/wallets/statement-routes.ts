import { Type } from "typebox";
import { findSpan, readStatement, type SpanExtent, type StatementLine } from "../ledger/statement.ts";
import { mostLines, readStatementPart, type StatementPart } from "../ledger/statement-file.ts";
import type { Tx } from "../platform/database/database.ts";
import { describeRoute, type Read, type Reply, type Route, type Streamed } from "../platform/http/route.ts";
import { type PageRequest, type Pagination, pageOf, pageRange, paginationOf } from "../platform/records/pagination.ts";
import { parseSpan, type Span } from "../platform/time/time-span.ts";
import { requireWallet } from "./credit-wallet.ts";
import { lineData, statementQuery } from "./schemas.ts";
import { csvHeader, csvLine, csvOf, exampleLine, presentLine } from "./statement-line.ts";
import { mainWalletId, walletTag } from "./wallet.ts";

const csv = "text/csv";
const csvExample = csvHeader + csvLine(exampleLine);

export function statementRoutes(): Route[] {
  return [
    describeRoute("key", {
      method: "GET",
      path: "/wallets/transactions",
      operationId: "listTransactions",
      tag: walletTag,
      scope: "wallets:read",
      summary: "Read a statement",
      description:
        "Everything that entered or left the main wallet, or the account named, newest first, each line with the balance after it. With `Accept: text/csv` the whole span comes as one file and page and limit are ignored; text that a spreadsheet would take for a formula has an apostrophe before it.",
      query: statementQuery,
      reply: {
        status: 200,
        message: "Transactions retrieved",
        data: Type.Array(lineData),
        paged: true,
        alsoAs: { [csv]: csvExample },
      },
      problems: ["wallet_not_found", "not_acceptable"],
      handle: ({ caller: { environmentId }, query, mediaType, read }) => {
        const { accountId = mainWalletId(environmentId) } = query;
        const wanted = { accountId, span: parseSpan(query) };
        return mediaType === csv ? answerCsv(read, wanted) : answerPage(read, wanted, pageOf(query));
      },
    }),
  ];
}

function answerPage(
  read: Read,
  wanted: StatementRequest,
  page: PageRequest,
): Promise<Reply<ReturnType<typeof presentLine>[]>> {
  return read(async (tx) => {
    await requireWallet(tx, wanted.accountId);
    const { rows, pagination } = await readStatementPage(tx, wanted, page);
    return { data: rows.map(presentLine), pagination };
  });
}

/** What can be refused is refused before the first byte; from then on there is only the file. */
async function answerCsv(read: Read, wanted: StatementRequest): Promise<Streamed> {
  const extent = await read(async (tx) => {
    await requireWallet(tx, wanted.accountId);
    return findStatement(tx, wanted);
  });
  return {
    mediaType: csv,
    chunks: streamStatement(read, wanted, extent),
    headers: { "content-disposition": `attachment; filename="statement-${wanted.accountId}.csv"` },
  };
}

/** Reading a wallet's statement: a page of it, or all of it piece by piece. */
interface StatementRequest {
  readonly accountId: string;
  readonly span: Span;
}

/** A page is a range of numbers, with a span or without one, and costs the same wherever it lies. */
async function readStatementPage(
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
