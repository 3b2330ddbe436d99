/**
 * A checkout loan is a purchase on credit: the merchant is paid at once, the customer pays the lender month by month.
 * The loan itself, with its terms, plan and repayments, is a loan account of `lending` (`accountId`), whose id the API
 * calls the loan's reference.
 *
 *   pending_consent ──▶ pending_card ──▶ approved ──▶ disbursed ──▶ active ◀──▶ overdue ──▶ written_off
 *         │ └────────────────│──────────▶ │ │                         └──▶ completed ◀──┘
 *         └──────────────────┴─▶ rejected, cancelled, expired
 *                                         └─▶ cancelled
 *
 * Two things are required of the customer: consent, given with a code that was sent to the phone, and a linked card.
 * Until both are there the account is pending, and a day after it was asked for the loan expires. When the last one is
 * met the loan is approved and paid out to the merchant's account. From approval on the status is the account's, moved
 * in the same transaction; as there, a reversed repayment opens a completed loan again, and a payment that the bank
 * sent back makes it approved again.
 */
import type { Kobo } from "../../money/kobo.ts";

export const checkoutLoanTransitions = {
  pending_consent: ["pending_card", "approved", "rejected", "cancelled", "expired"],
  pending_card: ["approved", "rejected", "cancelled", "expired"],
  approved: ["disbursed", "cancelled"],
  disbursed: ["active"],
  active: ["overdue", "completed", "approved"],
  overdue: ["active", "completed", "written_off", "approved"],
  completed: ["active", "overdue"],
  rejected: [],
  cancelled: [],
  expired: [],
  written_off: [],
} as const satisfies Record<string, readonly string[]>;

export type CheckoutLoanStatus = keyof typeof checkoutLoanTransitions;

export const consentTransitions = {
  pending_consent: ["consented", "expired"],
  consented: [],
  expired: [],
} as const satisfies Record<string, readonly string[]>;

export type ConsentStatus = keyof typeof consentTransitions;

export function canMove(from: CheckoutLoanStatus, to: CheckoutLoanStatus): boolean {
  return (checkoutLoanTransitions[from] as readonly string[]).includes(to);
}

/** Something is still required of the customer. */
export function isPending(status: CheckoutLoanStatus): boolean {
  return status === "pending_consent" || status === "pending_card";
}

/**
 * Chosen on a hosted page and not consented to. Pages are left open and forgotten, so this holds nobody: it counts for
 * nothing in a credit decision, and the next loan that the customer asks for takes its place.
 */
export function isIdleChoice({ status, sessionId }: Pick<CheckoutLoan, "status" | "sessionId">): boolean {
  return status === "pending_consent" && sessionId !== null;
}

/** The statuses of `…/loans/active`: the money is out and not all of it is back. */
export const outstandingStatuses = ["disbursed", "active", "overdue"] as const satisfies CheckoutLoanStatus[];

/** The money was paid out, so there is a plan to look after, or to look back on. */
export function hasPlanPage(status: CheckoutLoanStatus): boolean {
  return ([...outstandingStatuses, "completed", "written_off"] as CheckoutLoanStatus[]).includes(status);
}

/** What counts against the customer's limit: also what may still be paid out. */
export const openStatuses = [
  "pending_consent",
  "pending_card",
  "approved",
  ...outstandingStatuses,
] as const satisfies CheckoutLoanStatus[];

export const checkoutLoanResource = "checkout_loan";

export interface CheckoutLoan {
  readonly id: string;
  readonly customerId: string;
  /** The hosted checkout that it was asked for in, if any. */
  readonly sessionId: string | null;
  readonly accountId: string;
  /** The version of the credit policy that allowed it. */
  readonly policyVersion: number;
  readonly amount: Kobo;
  /** Principal that is owed or may still be paid out; nothing once the loan is over. */
  readonly owedPrincipal: Kobo;
  /** Months. */
  readonly tenor: number;
  /** The merchant's account; the code is the bank's CBN code. */
  readonly bankCode: string;
  readonly bankAccountNo: string;
  readonly bankName: string;
  readonly accountName: string;
  readonly status: CheckoutLoanStatus;
  readonly consentStatus: ConsentStatus;
  readonly consentedAt: Date | null;
  /** Until then consent and card must be there. */
  readonly expiresAt: Date;
  readonly disbursementId: string | null;
  readonly disbursements: number;
  /** Counts what the merchant is told of. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
