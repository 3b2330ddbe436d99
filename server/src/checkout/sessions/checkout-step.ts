/** Where a customer stands, decided by what is stored and by nothing that the browser says. */
import type { CheckoutLoanStatus } from "../loans/checkout-loan.ts";
import { isPending } from "../loans/checkout-loan.ts";
import { withOutcome } from "../pages/return-address.ts";
import type { CheckoutSession, SessionStatus } from "./checkout-session.ts";
import type { steps } from "./hosted-schemas.ts";
import { isOverdue } from "./read-session.ts";

export type Step = (typeof steps)[number];

/** Time may have ended a session a moment before the task that writes it down. A granted loan lets it wait. */
export function shownStatus(session: CheckoutSession, loan: CheckoutLoanStatus | null, now: Date): SessionStatus {
  const waitsForMoney = loan !== null && !isPending(loan);
  return isOverdue(session, now) && !waitsForMoney ? "expired" : session.status;
}

/** A loan that has its card and still waits, waits for us. */
export function stepOf(
  status: SessionStatus,
  loan: CheckoutLoanStatus | null,
  { eligible, hasCard }: { readonly eligible: boolean; readonly hasCard: boolean },
): Step {
  if (status !== "open") return status;
  if (loan === null) return eligible ? "offer" : "not_eligible";
  if (loan === "pending_consent") return "consent";
  return loan === "pending_card" && !hasCard ? "card" : "processing";
}

/** Where the page sends the customer back to: with an order that is paid, or without one. */
export function returnUrlOf({ id, successUrl, cancelUrl }: CheckoutSession, status: SessionStatus): string {
  return withOutcome(status === "completed" ? successUrl : cancelUrl, { session_id: id, status });
}
