/**
 * A refund to a card gives a customer's credit back the way it came: as a part of one charge of the loan.
 *
 *   processing ──▶ successful
 *        └───────▶ failed
 *
 * The row is committed before the card network is asked, under the id that the network knows it by, so that however
 * often it is asked the money goes back once. While it is processing it holds its part of the credit and of the charge:
 * nobody else is promised the same money. The refund is booked in the transaction that ends it. The credit of a failed
 * one stays with the loan.
 */
import type { Kobo } from "../../money/kobo.ts";
import type { ChargeFailure } from "./charge.ts";

export const cardRefundTransitions = {
  processing: ["successful", "failed"],
  successful: [],
  failed: [],
} as const satisfies Record<string, readonly string[]>;

export type CardRefundStatus = keyof typeof cardRefundTransitions;

export interface CardRefund {
  /** Also of the refund that lending books. */
  readonly id: string;
  readonly loanId: string;
  readonly chargeId: string;
  readonly reference: string;
  readonly amount: Kobo;
  readonly status: CardRefundStatus;
  readonly failure: ChargeFailure | null;
  readonly createdAt: Date;
  /** When it was last ordered of the network; null before the first time. */
  readonly sentAt: Date | null;
  readonly completedAt: Date | null;
}
