/** A simulated bank that takes a payment back, and tells us. */
import type { Database } from "../../platform/database/database.ts";
import type { TaskKind } from "../../platform/work/jobs.ts";
import { reversalNotice } from "../reversal-notice.ts";

export const paymentReversalTask = "sandbox.reverse_payment";

export interface ReversalNotice {
  readonly environmentId: string;
  /** All that a bank knows of a payment. */
  readonly sessionId: string;
}

export interface ReversalDependencies {
  readonly db: Database;
  /** Reverses in the bank's own books; false when there is nothing to reverse. */
  reverse(sandbox: string, sessionId: string): Promise<boolean>;
  /** Returns whether we have booked it. While we still wait for the answer to the payment itself, we cannot. */
  takeReversal(notice: ReversalNotice): Promise<boolean>;
}

export function paymentReversalKind({ db, reverse, takeReversal }: ReversalDependencies): TaskKind {
  const tell = (environmentId: string, sessionId: string) => takeReversal({ environmentId, sessionId });
  return reversalNotice(paymentReversalTask, { db, reverse, tell });
}
