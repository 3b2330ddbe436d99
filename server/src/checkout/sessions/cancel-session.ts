import type { Tx } from "../../platform/database/database.ts";
import { cancelCheckoutLoan } from "../loans/end-checkout-loan.ts";
import type { LoanFollowing } from "../loans/loan-moved.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { endSession } from "./end-session.ts";
import { closedSession, requireSession } from "./read-session.ts";

/**
 * Ends an open session, and with it its loan: the session follows that. Throws session_expired, invalid_state, or what
 * speaks against cancelling the loan.
 */
export async function cancelSession(tx: Tx, deps: LoanFollowing, id: string): Promise<void> {
  const session = await requireSession(tx, id);
  if (session.status !== "open") throw closedSession(session);
  if (session.loanId !== null) {
    await cancelCheckoutLoan(tx, deps, await requireCheckoutLoan(tx, session.loanId, { lock: true }));
    return;
  }
  // The customer may have chosen the terms at this very moment; then there is a loan to cancel.
  if (!(await endSession(tx, { id, loanId: null, to: "cancelled" }))) return cancelSession(tx, deps, id);
}
