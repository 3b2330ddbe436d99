import type { Tx } from "../../platform/database/database.ts";
import { isUuid } from "../../platform/database/ids.ts";
import { commonProblem, type Problem, type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { CheckoutSession } from "./checkout-session.ts";
import { presentSession } from "./present-session.ts";
import type { PresentedSession } from "./schemas.ts";
import { findSession, openSessionToken } from "./session-store.ts";

/** Throws checkout_session_not_found, also for what is another merchant's. */
export async function requireSession(tx: Tx, id: string): Promise<CheckoutSession> {
  const session = isUuid(id) ? await findSession(tx, id) : undefined;
  if (session === undefined) throw sessionProblem("checkout_session_not_found");
  return session;
}

/** For what a customer does on the page. Throws session_expired or invalid_state. */
export async function requireOpenSession(tx: Tx, id: string): Promise<CheckoutSession> {
  const session = await requireSession(tx, id);
  if (isOverdue(session, tx.environment.clock.now())) throw sessionProblem("session_expired");
  if (session.status !== "open") throw closedSession(session);
  return session;
}

/** The loan that the customer has chosen. Throws invalid_state before that, and what requireOpenSession does. */
export async function requireChosenLoan(tx: Tx, id: string): Promise<{ session: CheckoutSession; loanId: string }> {
  const session = await requireOpenSession(tx, id);
  const { loanId, status } = session;
  if (loanId !== null) return { session, loanId };
  throw commonProblem("invalid_state", {
    message: "Choose the number of months first.",
    data: { status, loan_id: null },
  });
}

/** Why nothing more can be done with a session. */
export function closedSession({ status, loanId }: CheckoutSession): Problem {
  if (status === "expired") return sessionProblem("session_expired");
  const message =
    status === "open" ? "The terms were chosen a moment ago. Read the session again." : `The checkout is ${status}.`;
  return commonProblem("invalid_state", { message, data: { status, loan_id: loanId } });
}

/** Whether an open session's time is over. Only one without a granted loan ends by it. */
export function isOverdue({ status, expiresAt }: CheckoutSession, now: Date): boolean {
  return status === "open" && expiresAt <= now;
}

export interface Addressing {
  readonly sealer: Sealer;
  /** Where browsers reach this server. */
  readonly publicUrl: string;
}

/** Where the customer opens the session's page. */
export async function sessionAddress(tx: Tx, { sealer, publicUrl }: Addressing, id: string): Promise<string> {
  const token = await openSessionToken(tx, sealer, id);
  return `${publicUrl}/checkout/${id}#${token}`;
}

/** The record of GET. */
export async function readSessionRecord(
  tx: Tx,
  addressing: Addressing,
  session: CheckoutSession,
): Promise<PresentedSession> {
  const { kind } = tx.environment;
  return presentSession(session, { kind, url: await sessionAddress(tx, addressing, session.id) });
}

export const sessionProblems = {
  checkout_session_not_found: { status: 404, cause: "No checkout session has this id." },
  session_expired: {
    status: 409,
    cause: "This checkout has expired, and nothing was bought.",
    cure: "Go back to the shop and order again.",
  },
} as const satisfies ProblemCatalogue;

const sessionProblem = problemsFrom(sessionProblems);
