/**
 * The port for money that comes in from a bank: account numbers for wallets, and the credits that people pay into
 * them. An adapter (a provider of virtual accounts) implements it. Every call has a time-out and no call is made inside
 * a database transaction.
 *
 * A credit is known by the provider's transaction id and by nothing else: references, amounts and times repeat. What a
 * webhook says is only a hint to ask; the answer to our own question is what is booked.
 */
import type { Kobo } from "../money/kobo.ts";
import type { Hold } from "./answer.ts";

export interface AccountOrder {
  readonly environmentId: string;
  /** Ours. The same wallet again is the same account: the adapter looks before it opens one. */
  readonly walletId: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}

export interface InboundAccount {
  readonly accountNumber: string;
  readonly accountName: string;
  readonly bankName: string;
  /** By which the provider knows the holder of the account; the second key of a credit. */
  readonly holderReference: string;
}

export interface InboundUnknown {
  readonly outcome: "unknown";
  readonly hold?: Hold;
}

export type AccountOpening =
  | { readonly outcome: "active"; readonly account: InboundAccount }
  | { readonly outcome: "pending" }
  | { readonly outcome: "refused"; readonly code: string; readonly message: string }
  | InboundUnknown;

export interface InboundCredit {
  readonly transactionId: string;
  /** Gross, as the sender paid it. */
  readonly amount: Kobo;
  readonly fee: Kobo;
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
  | { readonly outcome: "taken_back"; readonly credit: InboundCredit }
  /** The transaction exists and is none of ours to book: a card's, another mode's. */
  | { readonly outcome: "not_inbound"; readonly why: string }
  | { readonly outcome: "no_record" }
  | InboundUnknown;

export interface CreditPeriod {
  readonly from: Date;
  readonly to: Date;
}

export interface InboundRail {
  readonly name: string;
  openAccount(order: AccountOrder): Promise<AccountOpening>;
  readCredit(transactionId: string): Promise<CreditAnswer>;
  /** Every credit of a period, also those that were taken back. Throws when the provider could not be asked. */
  listCredits(period: CreditPeriod): AsyncIterable<Extract<CreditAnswer, { readonly credit: InboundCredit }>>;
}
