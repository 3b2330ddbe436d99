/** The lists that reconciliation reads at Paystack's twin: transfers, transactions, the ledger of the balance. */
import { granted, type PaystackAccount } from "./paystack-twin-account.ts";
import { type PaystackBankBooks, type TwinTransfer, wholeTransfer } from "./paystack-twin-books.ts";
import type { TwinRoutes } from "./twin.ts";
import type { TwinReply, TwinRequest } from "./twin-wire.ts";

export function paystackTransferLists(account: PaystackAccount, books: PaystackBankBooks): TwinRoutes {
  return {
    "GET /transfer": (request) => {
      const word = request.query.get("status") ?? (books.listsPendingOnly ? "pending" : null);
      const wanted = books.listed
        .show([...books.transfers.values()])
        .filter(({ status }) => word === null || status === word);
      const show = (transfer: TwinTransfer) => {
        const { reference, ...rest } = wholeTransfer(account, transfer);
        return books.listsReferences ? { ...rest, reference } : rest;
      };
      return paged("Transfers retrieved", request, inPeriod(request, wanted, "createdAt").map(show));
    },
    "GET /transaction": (request) => {
      const wanted = ["status", "channel"].map((name) => [name, request.query.get(name)] as const);
      const rows = account.transactions
        .flatMap((own) => own())
        .filter(({ wire }) => wanted.every(([name, word]) => word === null || wire[name] === word));
      const shown = inPeriod(request, rows, "createdAt").map(({ wire }) => wire);
      return paged("Transactions retrieved", request, shown);
    },
    "GET /balance/ledger": (request) => {
      const show = ({ id, difference, balance, model, row, at }: PaystackAccount["ledger"][number]) => ({
        id,
        domain: account.domain,
        currency: "NGN",
        difference,
        balance,
        model_responsible: model,
        model_row: row,
        createdAt: at.toISOString(),
      });
      return paged("Balance ledger retrieved", request, inPeriod(request, account.ledger, "at").map(show));
    },
  };
}

/** Newest first, as Paystack lists. */
export function inPeriod<Name extends string, Row extends Readonly<Record<Name, Date>>>(
  { query }: TwinRequest,
  rows: readonly Row[],
  name: Name,
): Row[] {
  const from = new Date(query.get("from") ?? 0);
  const to = new Date(query.get("to") ?? 8_640_000_000_000_000);
  return rows.filter((row) => row[name] >= from && row[name] <= to).reverse();
}

export function paged(message: string, { query }: TwinRequest, rows: readonly unknown[]): TwinReply {
  const perPage = Math.min(Number(query.get("perPage") ?? 50), 100);
  const page = Number(query.get("page") ?? 1);
  const skipped = (page - 1) * perPage;
  const meta = { total: rows.length, skipped, perPage, page, pageCount: Math.ceil(rows.length / perPage) };
  return granted(message, rows.slice(skipped, skipped + perPage), meta);
}
