/** A simulated bank that takes a payment back, and tells us. */
import { schedule } from "../platform/agenda.ts";
import { type Database, inEnvironment } from "../platform/database.ts";
import type { TaskKind } from "../platform/jobs.ts";

export const reversalTask = "sandbox.reverse_payment";
export const reversalDelayMs = 3_000;
const longestDelayMs = 15 * 60_000;

export interface ReversalNotice {
  readonly environmentId: string;
  /** All that a bank knows of a payment. */
  readonly sessionId: string;
}

export interface ReversalDependencies {
  readonly db: Database;
  /** Reverses in the bank's own books; false when there is nothing to reverse. */
  reverse(sandbox: string, sessionId: string): Promise<boolean>;
  /** Answers whether we have booked it. While we still wait for the answer to the payment itself, we cannot. */
  takeReversal(notice: ReversalNotice): Promise<boolean>;
}

/** Takes the payment back and tells us, again and again at growing distances until we have booked it. */
export function reversalKind(deps: ReversalDependencies): TaskKind {
  return {
    async handle({ environmentId, subject: sessionId, payload }) {
      if (!(await deps.reverse(environmentId, sessionId))) return;
      if (await deps.takeReversal({ environmentId, sessionId })) return;
      const told = Number(payload["told"] ?? 0) + 1;
      const delayMs = Math.min(reversalDelayMs * 2 ** Math.min(told, 20), longestDelayMs);
      await inEnvironment(deps.db, environmentId, (tx) => {
        const dueAt = new Date(tx.environment.clock.now().getTime() + delayMs);
        return schedule(tx, [{ kind: reversalTask, subject: sessionId, payload: { told }, dueAt }]);
      });
    },
  };
}
