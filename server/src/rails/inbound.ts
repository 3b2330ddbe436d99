/**
 * The port for money that comes in from a bank: account numbers for wallets, and the credits that people pay into
 * them. An adapter (a provider of virtual accounts) implements it. Every call has a time-out and no call is made inside
 * a database transaction.
 *
 * A credit is known by the provider's transaction id and by nothing else: references, amounts and times repeat. What a
 * webhook says is only a hint to ask; the answer to our own question is what is booked.
 */
import type { Kobo } from "../money/kobo.ts";
import type { NoRecord, Unknown } from "./answer.ts";

export interface AccountOrder {
  readonly environmentId: string;
  /** Ours, and by which the provider knows the account's holder. */
  readonly walletId: string;
  /** What payers see. */
  readonly name: string;
}

export interface InboundAccount {
  readonly accountNumber: string;
  readonly accountName: string;
  readonly bankName: string;
  /** By which the provider knows the holder of the account; the second key of a credit. */
  readonly holderReference: string;
}

/** Nothing was opened, and nothing will be. */
export interface AccountRefusal {
  readonly outcome: "refused";
  readonly code: string;
  readonly message: string;
  readonly alarm?: string;
}

export interface OpenedAccount {
  readonly outcome: "active";
  readonly account: InboundAccount;
  readonly alarm?: string;
}

/** An account that the provider still works on is unknown: it is asked about until it is there. */
export type AccountOpening = OpenedAccount | AccountRefusal | Unknown;

export interface InboundCredit {
  readonly transactionId: string;
  /** Gross, as the sender paid it. In the currency's smallest unit. */
  readonly amount: Kobo;
  readonly fee: Kobo;
  /** Three letters. Only naira can be booked. */
  readonly currency: string;
  /** The number that was paid to, if the provider tells. */
  readonly accountNumber: string | null;
  readonly holderReference: string | null;
  readonly senderName: string | null;
  readonly senderBank: string | null;
  /** The last four digits. */
  readonly senderAccount: string | null;
  /** 30 digits, if the provider tells. */
  readonly networkSessionId: string | null;
  readonly paidAt: Date;
}

export type CreditAnswer =
  | { readonly outcome: "credited"; readonly credit: InboundCredit }
  /** It was a credit, and the provider undid it. */
  | { readonly outcome: "taken_back" }
  /** The transaction exists and is not ours to book: a card's, another mode's, one that failed. */
  | { readonly outcome: "not_inbound"; readonly why: string; readonly alarm?: string }
  | NoRecord
  | Unknown;

export interface CreditPeriod {
  readonly from: Date;
  readonly to: Date;
}

export interface InboundRail {
  readonly name: string;
  /** False where something is missing to open accounts. Credits of those that were opened before are still told. */
  readonly opensAccounts: boolean;
  /** How long after an order the provider knows whether it took it. */
  readonly settleWindowMs: number;
  /** Looks before it opens: the same wallet again is the same account. */
  openAccount(order: AccountOrder): Promise<AccountOpening>;
  findAccount(order: AccountOrder): Promise<AccountOpening | NoRecord>;
  readCredit(transactionId: string): Promise<CreditAnswer>;
  /** The ids of all credits of a period, in any order. Throws when the provider could not be asked. */
  listCredits(period: CreditPeriod): AsyncIterable<string>;
}
