/** The books of cards at Paystack's twin: transactions, authorisations, refunds. */
import { createPlantedList, type PlantedList } from "./planted-list.ts";

export type TransactionWord = "success" | "failed" | "abandoned" | "reversed" | "pending" | "ongoing";
export type RefundWord = "pending" | "processing" | "processed" | "failed" | "needs-attention";

export interface TwinAuthorization {
  readonly code: string;
  readonly email: string;
  readonly channel: string;
  readonly cardType: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: string;
  readonly expYear: string;
  readonly bank: string | null;
  readonly reusable: boolean;
  readonly signature: string;
  /** Whose card it is by the bank, where Paystack tells. */
  readonly accountName?: string | null;
  /** Whether it declines what is charged to it. */
  readonly declines?: boolean;
  active: boolean;
}

export interface TwinTransaction {
  readonly id: number;
  readonly reference: string;
  readonly email: string;
  readonly requestedAmount: number;
  /** With the fee that was passed on, if one was. */
  amount: number;
  status: TransactionWord;
  authorization: TwinAuthorization | null;
  gatewayResponse: string;
  createdAt: Date;
  /** Where the holder goes after the page. */
  readonly callbackUrl: string | null;
  /** How often money was taken. */
  takings: number;
}

export interface TwinRefund {
  readonly id: number;
  readonly transactionId: number;
  readonly amount: number;
  readonly note: string | null;
  readonly createdAt: Date;
  status: RefundWord;
}

/** What the next charges of an authorisation come to. */
export type ChargeFate = "success" | "failed" | "paused" | "pending";

export interface PaystackCardBooks {
  readonly transactions: Map<string, TwinTransaction>;
  readonly authorizations: Map<string, TwinAuthorization>;
  readonly refunds: TwinRefund[];
  /** What the lists show instead of the books, by reference and by note. */
  readonly listed: PlantedList<TwinTransaction>;
  readonly listedRefunds: PlantedList<TwinRefund>;
  fate: ChargeFate;
  /** What a new refund begins as. */
  refundWord: RefundWord;
  /** 400 or 404, both were reported. */
  unknownStatus: 400 | 404;
  /** Added to what the holder pays. */
  passedOnFee: number;
  /** The holder pays on the page. Returns the authorisation. */
  payOnPage(reference: string, card?: Partial<TwinAuthorization>): TwinAuthorization;
  /** A transaction that was open ends, or one that paid is charged back. */
  settle(reference: string, status: TransactionWord): void;
  /** What stays with the account of a transaction. */
  kept(reference: string): number;
}

export function createCardBooks(): PaystackCardBooks {
  const transactions = new Map<string, TwinTransaction>();
  const authorizations = new Map<string, TwinAuthorization>();
  const refunds: TwinRefund[] = [];
  const find = (reference: string): TwinTransaction => {
    const found = transactions.get(reference);
    if (found === undefined) throw new Error(`no transaction ${reference}`);
    return found;
  };
  return {
    transactions,
    authorizations,
    refunds,
    listed: createPlantedList(({ reference }) => reference),
    listedRefunds: createPlantedList(({ note }) => note ?? ""),
    fate: "success",
    refundWord: "pending",
    unknownStatus: 400,
    passedOnFee: 0,
    payOnPage(reference, card = {}) {
      const transaction = find(reference);
      const code = `AUTH_${transaction.id.toString(36)}`;
      const authorization = { ...goodCard, code, email: transaction.email, active: true, ...card };
      authorizations.set(code, authorization);
      Object.assign(transaction, { authorization, status: "success", gatewayResponse: "Successful" });
      transaction.amount = transaction.requestedAmount + this.passedOnFee;
      transaction.takings += 1;
      return authorization;
    },
    settle(reference, status) {
      const transaction = find(reference);
      if (status === "success") transaction.takings += 1;
      transaction.status = status;
    },
    kept(reference) {
      const { id, amount, takings, status } = find(reference);
      const back = refunds.filter((refund) => refund.transactionId === id && refund.status !== "failed");
      const taken = status === "reversed" && back.length === 0 ? 0 : amount * takings;
      return taken - back.reduce((sum, refund) => sum + refund.amount, 0);
    },
  };
}

const goodCard = {
  channel: "card",
  // Paystack writes a blank after it.
  cardType: "visa ",
  brand: "visa",
  last4: "4081",
  expMonth: "12",
  expYear: "2030",
  bank: "TEST BANK",
  reusable: true,
  signature: "SIG_yEXu7dLBeqG0kU7g95Ke",
} as const;
