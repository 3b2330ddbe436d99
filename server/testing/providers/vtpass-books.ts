/** The books of the VTpass twin: its clock, our wallet there, and every transaction by its request id. */
import { type Kobo, kobo } from "../../src/money/kobo.ts";
import { createPlantedList, type PlantedList } from "./planted-list.ts";

export type VtpassState = "initiated" | "pending" | "delivered" | "failed" | "reversed";

export interface VtpassTransaction {
  readonly requestId: string;
  readonly transactionId: string;
  readonly serviceID: string;
  /** Meter, smart card or phone number. */
  readonly billersCode: string;
  readonly variationCode: string;
  readonly amount: Kobo;
  /** What our wallet is debited: the amount less VTpass's commission to us. */
  readonly total: Kobo;
  readonly phone: string;
  readonly at: Date;
  state: VtpassState;
  /** How often it was delivered; more than once would be VTpass's own mistake. */
  deliveries: number;
}

export interface VtpassBooks {
  float: Kobo;
  readonly transactions: ReadonlyMap<string, VtpassTransaction>;
  /** What a question is told instead of the books, by request id. */
  readonly told: PlantedList<VtpassTransaction>;
  now(): Date;
  /** Puts the clock forward. */
  pass(ms: number): void;
  /** Puts a transaction where VTpass's staff would. */
  settle(requestId: string, state: VtpassState): VtpassTransaction;
  book(transaction: Omit<VtpassTransaction, "transactionId" | "total" | "at" | "deliveries">): VtpassTransaction;
}

export const commissionOf = (amount: Kobo): Kobo => kobo((amount * 3n) / 200n);

export function openVtpassBooks(start: () => Date): VtpassBooks {
  const transactions = new Map<string, VtpassTransaction>();
  let passedMs = 0;
  const books: VtpassBooks = {
    float: kobo(1_000_000_000n),
    transactions,
    told: createPlantedList(({ requestId }) => requestId),
    now: () => new Date(start().getTime() + passedMs),
    pass: (ms) => {
      passedMs += ms;
    },
    book: (order) => {
      const transaction: VtpassTransaction = {
        ...order,
        transactionId: `17${String(transactions.size + 1).padStart(24, "0")}`,
        total: kobo(order.amount - commissionOf(order.amount)),
        at: books.now(),
        state: "initiated",
        deliveries: 0,
      };
      transactions.set(order.requestId, transaction);
      books.float = kobo(books.float - transaction.total);
      move(books, transaction, order.state);
      return transaction;
    },
    settle: (requestId, state) => {
      const transaction = transactions.get(requestId);
      if (transaction === undefined) throw new Error(`the twin has no transaction ${requestId}`);
      move(books, transaction, state);
      return transaction;
    },
  };
  return books;
}

function move(books: VtpassBooks, transaction: VtpassTransaction, to: VtpassState): void {
  const isBack = (state: VtpassState) => state === "failed" || state === "reversed";
  if (to === "delivered" && transaction.state !== "delivered") transaction.deliveries += 1;
  if (isBack(to) && !isBack(transaction.state)) books.float = kobo(books.float + transaction.total);
  transaction.state = to;
}
