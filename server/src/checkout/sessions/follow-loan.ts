/** A session follows its loan, in the transaction that moves it. */

import type { Tx } from "../../platform/database/database.ts";
import { cancelScheduled } from "../../platform/work/agenda.ts";
import type { CheckoutLoan, CheckoutLoanStatus } from "../loans/checkout-loan.ts";
import type { LoanMoved } from "../loans/loan-moved.ts";
import type { SessionStatus } from "./checkout-session.ts";
import { expireSessionTask } from "./checkout-session.ts";
import { endSession } from "./end-session.ts";
import { closedSession, requireSession } from "./read-session.ts";
import { setLoan } from "./session-store.ts";

const endings: Readonly<Partial<Record<CheckoutLoanStatus, Exclude<SessionStatus, "open">>>> = {
  active: "completed",
  rejected: "cancelled",
  cancelled: "cancelled",
  expired: "expired",
};

export const followLoan: LoanMoved = async (tx, loan, from) => {
  const { sessionId: id, id: loanId, status } = loan;
  if (id === null) return;
  if (from === null) return takeLoan(tx, id, loan);
  // The customer has done everything: from here on only the loan ends the session.
  if (status === "approved") await cancelScheduled(tx, expireSessionTask, [id]);
  const to = endings[status];
  if (to !== undefined) await endSession(tx, { id, loanId, to });
};

/** One session is one loan: of two that are made at once the second is refused, and with it goes its loan. */
async function takeLoan(tx: Tx, id: string, loan: CheckoutLoan): Promise<void> {
  if (!(await setLoan(tx, id, loan.id))) throw closedSession(await requireSession(tx, id));
}
