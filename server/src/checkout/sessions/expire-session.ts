import type { Database, Tx } from "../../platform/database/database.ts";
import { schedule } from "../../platform/work/agenda.ts";
import { oneTransaction, type TaskKind } from "../../platform/work/jobs.ts";
import { recordsById, type SweepSource } from "../../platform/work/sweeper.ts";
import { expireCheckoutLoan } from "../loans/end-checkout-loan.ts";
import type { LoanFollowing } from "../loans/loan-moved.ts";
import { expireSessionTask } from "./checkout-session.ts";
import { endSession } from "./end-session.ts";
import { findSession } from "./session-store.ts";

/**
 * Ends an open session whose time is over, and with it a loan that something is still required for: the session follows
 * that. A loan that was granted goes on, and its session waits for the money.
 */
export async function expireSession(tx: Tx, deps: LoanFollowing, id: string): Promise<void> {
  const session = await findSession(tx, id);
  if (session === undefined || session.status !== "open") return;
  const { expiresAt: dueAt, loanId } = session;
  if (dueAt > tx.environment.clock.now()) return schedule(tx, [{ kind: expireSessionTask, subject: id, dueAt }]);
  if (loanId !== null) return expireCheckoutLoan(tx, deps, loanId);
  // The customer may have chosen the terms at this very moment; then there is a loan to expire.
  if (!(await endSession(tx, { id, loanId, to: "expired" }))) return expireSession(tx, deps, id);
}

/** Ends checkout sessions whose time is up. */
export const sessionTaskKinds = [expireSessionTask] as const;

export interface SessionTaskDependencies extends LoanFollowing {
  readonly db: Database;
}

export function sessionTasks(deps: SessionTaskDependencies): [string, TaskKind][] {
  return [[expireSessionTask, oneTransaction(deps.db, (tx, { subject }) => expireSession(tx, deps, subject))]];
}

export const sessionSweepSources: readonly SweepSource[] = [
  recordsById({ name: "open checkout sessions", kind: expireSessionTask }, "find_open_checkout_sessions"),
];
