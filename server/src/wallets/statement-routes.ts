import { Type } from "typebox";
import { keyRoute, type Read, type Reply, type Route } from "../platform/http/route.ts";
import type { Streamed } from "../platform/http/streamed.ts";
import { type PageRequest, pageOf } from "../platform/records/pagination.ts";
import { parseSpan } from "../platform/time/time-span.ts";
import { requireWallet } from "./credit-wallet.ts";
import { findStatement, readStatementPage, type StatementRequest, streamStatement } from "./read-statement.ts";
import { lineData, statementQuery } from "./schemas.ts";
import { csvHeader, csvLine, exampleLine, presentLine } from "./statement-line.ts";
import { mainWalletId, walletTag } from "./wallet.ts";

const csv = "text/csv";
const csvExample = csvHeader + csvLine(exampleLine);

export function statementRoutes(): Route[] {
  return [
    keyRoute({
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
