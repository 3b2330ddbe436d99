/**
 * A charge asks a card for money of a loan: what has fallen due, collected by itself, or a repayment that the merchant
 * asked for.
 *
 *   processing ──▶ successful
 *        └───────▶ failed
 *
 * The row is committed before the card network is asked, under the id that the network knows it by. An unclear answer
 * is asked for again and never guessed. A loan has at most one charge under way, no matter what began it, so that
 * nothing is taken twice for the same debt. The repayment is recorded in the transaction that ends the charge. Where
 * the issuer wants the holder to confirm, the charge stays under way and its customer's page leads to the bank's. A
 * charge that is taken back later stays successful: it did pay, and its repayment is what is reversed.
 */
import type { Kobo } from "../../money/kobo.ts";

export const chargeTransitions = {
  processing: ["successful", "failed"],
  successful: [],
  failed: [],
} as const satisfies Record<string, readonly string[]>;

export type ChargeStatus = keyof typeof chargeTransitions;

export interface ChargeFailure {
  readonly code: string;
  readonly message: string;
}

export interface Charge {
  readonly id: string;
  readonly loanId: string;
  readonly customerId: string;
  /** Null when there was no card to charge. */
  readonly cardId: string | null;
  /** The processor's account that is asked, which is the card's; null for the simulated network. */
  readonly connectionId: string | null;
  readonly kind: "collection" | "repayment";
  /** The merchant's, for a repayment that it asked for. */
  readonly reference: string | null;
  readonly amount: Kobo;
  /** Which try for the due date, from 1. */
  readonly attempt: number;
  /** The due date that is being collected. */
  readonly dueDate: Temporal.PlainDate | null;
  readonly status: ChargeStatus;
  readonly version: number;
  readonly failure: ChargeFailure | null;
  readonly repaymentId: string | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

/** What a try is told when the customer has no card any more. */
export const cardNotLinked: ChargeFailure = {
  code: "card_not_linked",
  message: "The customer has no linked card.",
};

const minuteMs = 60_000;
const declineWaitsMs = [0, minuteMs, 10 * minuteMs, 60 * minuteMs, 6 * 60 * minuteMs];
const longestWaitMs = 24 * 60 * minuteMs;

/** How long a merchant waits after so many declines in a row, so that nobody tries cards out with us. */
export function waitAfterDeclines(declines: number): number {
  return declineWaitsMs[declines] ?? longestWaitMs;
}

/** The names of what happens to cards later. */
export const linkTask = "checkout.link-card";
export const unlinkTask = "checkout.unlink-card";
export const chargeTask = "checkout.ask-charge";
export const lateMoneyTask = "checkout.return-late-money";
export const takeBackTask = "checkout.take-charge-back";
export const refundTask = "checkout.refund-card";
export const collectTask = "checkout.collect";
