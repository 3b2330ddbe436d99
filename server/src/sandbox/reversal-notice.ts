/** A simulated rail that takes back what it had done, and tells us. */
import { schedule } from "../platform/agenda.ts";
import { type Database, inEnvironment } from "../platform/database.ts";
import type { TaskKind } from "../platform/jobs.ts";

export const reversalDelayMs = 3_000;
const longestDelayMs = 30_000;

export interface NoticeDependencies {
  readonly db: Database;
  /** Reverses in the rail's own books; false when there is nothing to reverse. */
  reverse(sandbox: string, subject: string): Promise<boolean>;
  /** Answers whether we have booked it. While we still wait for the answer to the payment itself, we cannot. */
  tell(environmentId: string, subject: string): Promise<boolean>;
}

/** Takes it back and tells us, again and again at growing distances until we have booked it. */
export function reversalNotice(task: string, deps: NoticeDependencies): TaskKind {
  return {
    async handle({ environmentId, subject, payload }) {
      if (!(await deps.reverse(environmentId, subject))) return;
      if (await deps.tell(environmentId, subject)) return;
      const told = Number(payload["told"] ?? 0) + 1;
      const delayMs = Math.min(reversalDelayMs * 2 ** Math.min(told, 20), longestDelayMs);
      await inEnvironment(deps.db, environmentId, (tx) => {
        const dueAt = new Date(tx.environment.clock.now().getTime() + delayMs);
        return schedule(tx, [{ kind: task, subject, payload: { told }, dueAt }]);
      });
    },
  };
}
