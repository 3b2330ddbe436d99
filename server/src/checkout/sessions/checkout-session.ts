/**
 * A checkout session is one order of a customer, taken through the hosted page: the merchant's server makes it, sends
 * the customer to its address and learns from the API or an event how it ended. Nothing that a browser says counts.
 *
 *   open ──▶ completed
 *     ├────▶ expired
 *     └────▶ cancelled
 *
 * It becomes a loan when the customer has chosen the terms, and from then on follows it: completed when the loan is
 * paid out, cancelled or expired when the loan is. A session without a granted loan ends a day after it was made. Once
 * the loan is granted the session waits for the money, however long a bank takes.
 *
 * The order's reference belongs to one session that is open or completed; one that ended without a loan frees it.
 */

import type { Kobo } from "../../money/kobo.ts";
import { keysOf } from "../../platform/keys-of.ts";

/** The names of what happens to a session later. */
export const expireSessionTask = "checkout.expire-session";

export const sessionTransitions = {
  open: ["completed", "expired", "cancelled"],
  completed: [],
  expired: [],
  cancelled: [],
} as const satisfies Record<string, readonly string[]>;

export type SessionStatus = keyof typeof sessionTransitions;

export const sessionStatuses = keysOf(sessionTransitions);

export const sessionLifeMs = 24 * 60 * 60_000;

export const sessionResource = "checkout_session";

export interface OrderItem {
  readonly name: string;
  readonly quantity: number;
  /** Of all its pieces together. */
  readonly amount: Kobo;
}

/** What the merchant orders. */
export interface Order {
  readonly orderReference: string;
  readonly amount: Kobo;
  /** For the customer to see; they add up to the amount, or there are none. */
  readonly items: readonly OrderItem[];
  /** The merchant's account, which is paid; the code is the bank's CBN code. */
  readonly bankCode: string;
  readonly bankAccountNo: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
}

export interface CheckoutSession extends Order {
  readonly id: string;
  readonly customerId: string;
  readonly status: SessionStatus;
  /** Null until the customer has chosen the terms. */
  readonly loanId: string | null;
  /** Counts its changes. */
  readonly version: number;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
