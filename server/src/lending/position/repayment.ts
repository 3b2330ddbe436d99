/**
 * Money that comes for a loan and goes back: repayments, refunded orders, and refunds of credit. They are what happened
 * to a loan; every figure follows from them and the plan (see `position.ts`).
 */
import type { Kobo } from "../../money/kobo.ts";

/**
 * `wallet` debits the merchant's wallet, and so do cash and bank transfers: they reached the merchant, who keeps them
 * and pays the lender from the wallet.
 */
export const repaymentChannels = ["wallet", "card", "cash", "bank_transfer"] as const;
export type RepaymentChannel = (typeof repaymentChannels)[number];

export interface Repayment {
  readonly id: string;
  readonly accountId: string;
  /** From 1, in the order they were recorded. */
  readonly number: number;
  /** The account's version that recorded it. */
  readonly sequence: number;
  readonly reference: string;
  readonly channel: RepaymentChannel;
  /** The wallet that paid; null for a card, and for cash and bank transfers from before wallets stood for them. */
  readonly walletId: string | null;
  readonly amount: Kobo;
  readonly recordedAt: Date;
  readonly reversedAt: Date | null;
  readonly reversalReason: string | null;
}

/** What was overpaid, given back. */
export interface CreditRefund {
  readonly id: string;
  readonly accountId: string;
  readonly sequence: number;
  readonly reference: string;
  readonly channel: RepaymentChannel;
  readonly walletId: string | null;
  /** What the refunded charge of a card had paid; null for other channels. */
  readonly repaymentId: string | null;
  readonly amount: Kobo;
  readonly refundedAt: Date;
}

/** An order was refunded: the merchant paid part of the loan back, and the plan shrank by it. */
export interface Reduction {
  readonly id: string;
  readonly accountId: string;
  /** The account's version that recorded it. */
  readonly sequence: number;
  readonly reference: string;
  readonly reason: string;
  /** The merchant's wallet that paid. */
  readonly walletId: string;
  readonly amount: Kobo;
  readonly recordedAt: Date;
}

export const repaymentResource = "loan_repayment";
export const refundResource = "loan_credit_refund";
export const reductionResource = "loan_reduction";

/** The namespaces of merchants' references. */
export const repaymentReferences = "loan_repayments";
export const refundReferences = "loan_credit_refunds";
export const reductionReferences = "loan_reductions";
