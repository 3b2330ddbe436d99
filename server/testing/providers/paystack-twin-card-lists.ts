/** What Paystack's twin lists of cards: transactions and refunds. It may differ from the books. */
import type { PaystackAccount } from "./paystack-twin-account.ts";
import { inPeriod, paged } from "./paystack-twin-lists.ts";
import type { PlantedList } from "./planted-list.ts";
import type { TwinRoutes } from "./twin.ts";

interface CardLists<Transaction, Refund> {
  readonly transactions: ReadonlyMap<string, Transaction>;
  readonly refunds: readonly Refund[];
  readonly listed: PlantedList<Transaction>;
  readonly listedRefunds: PlantedList<Refund>;
}

export function paystackCardLists<
  Transaction extends { readonly createdAt: Date },
  Refund extends { readonly createdAt: Date; readonly transactionId: number },
>(
  account: PaystackAccount,
  books: CardLists<Transaction, Refund>,
  show: { transaction(row: Transaction): Readonly<Record<string, unknown>>; refund(row: Refund): unknown },
): TwinRoutes {
  account.transactions.push(() =>
    books.listed
      .show([...books.transactions.values()])
      .map((row) => ({ createdAt: row.createdAt, wire: show.transaction(row) })),
  );
  return {
    "GET /refund": (request) => {
      const wanted = request.query.get("transaction");
      const of = books.refunds.filter(({ transactionId }) => String(transactionId) === wanted);
      const rows = wanted === null ? books.listedRefunds.show(books.refunds) : of;
      return paged("Refunds retrieved", request, inPeriod(request, rows, "createdAt").map(show.refund));
    },
  };
}
