/**
 * The port to the banks. An adapter (a switch, a partner bank, the sandbox's simulation) implements it; nobody else
 * knows which one is behind it. Every call has a time-out and no call is made inside a database transaction.
 *
 * An answer about a payment is one of three: it definitely happened, it definitely did not and never will, or nobody
 * knows yet. Unknown is not failed: it is asked again under the same session id for as long as it takes.
 */
import type { Kobo } from "../money/kobo.ts";
import type { Failure, Hold, NoRecord, RailTrace, TakenBack, Unknown } from "./answer.ts";

export type PaymentAnswer = { readonly outcome: "success"; readonly trace?: RailTrace } | Failure | Unknown;

export type QueryAnswer = PaymentAnswer | TakenBack | NoRecord;

export type AccountAnswer =
  | { readonly found: "yes"; readonly accountName: string }
  | { readonly found: "no" }
  | { readonly found: "unavailable"; readonly hold?: Hold };

export interface AccountQuestion {
  readonly environmentId: string;
  /** The bank's 6-digit institution code. */
  readonly nipCode: string;
  readonly accountNumber: string;
}

export interface PaymentOrder extends AccountQuestion {
  /** 30 digits; the rail knows the payment by it, and so do we after a crash. */
  readonly sessionId: string;
  readonly accountName: string;
  readonly amount: Kobo;
  readonly narration: string;
  /** The merchant's reference, which the sandbox's inputs look at. */
  readonly reference: string;
}

export interface PaymentQuestion {
  readonly environmentId: string;
  readonly sessionId: string;
  /** What we ordered under the session: a record of another amount is not our payment. */
  readonly amount: Kobo;
}

export interface BankRail {
  readonly name: string;
  /**
   * Whether a second order under the same session id is recognised as the same payment. If so, a payment that the
   * rail has no record of may be sent again once it is older than the settle window; if not, an operator decides.
   */
  readonly deduplicatesBySession: boolean;
  readonly settleWindowMs: number;
  /** Our six digits at the switch; every session id begins with them. */
  readonly senderCode: string;
  resolveAccount(question: AccountQuestion): Promise<AccountAnswer>;
  send(order: PaymentOrder): Promise<PaymentAnswer>;
  query(question: PaymentQuestion): Promise<QueryAnswer>;
}
