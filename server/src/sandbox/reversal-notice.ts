/** A simulated rail that takes back what it had done, and tells us. */

import { type Database, inEnvironment } from "../platform/database/database.ts";
import { schedule } from "../platform/work/agenda.ts";
import type { TaskKind } from "../platform/work/jobs.ts";

const reversalDelayMs = 3_000;
const longestDelayMs = 30_000;

export interface NoticeDependencies {
  readonly db: Database;
  /** Reverses in the rail's own books; false when there is nothing to reverse. */
  reverse(sandbox: string, subject: string): Promise<boolean>;
  /** Returns whether we have booked it. While we still wait for the answer to the payment itself, we cannot. */
  tell(environmentId: string, subject: string): Promise<boolean>;
}

export interface Reversal {
  readonly environmentId: string;
  readonly task: string;
  readonly subject: string;
}

/**
 * Books the reversal before `record` writes down what it takes back, so that a kill between the two leaves a booking
 * that finds nothing to do, and never a payment that forgets its reversal. A booking whose time comes while it is being
 * written down, because the machine is slow or the clock is moved, has found nothing either: so it is booked again
 * afterwards. Should a kill prevent that too, we have no answer and ask, and the question books it.
 */
export async function withReversal<Recorded>(
  db: Database,
  reversal: Reversal,
  record: () => Promise<Recorded>,
): Promise<Recorded> {
  await bookReversal(db, reversal);
  const recorded = await record();
  await bookReversal(db, reversal);
  return recorded;
}

/**
 * Sees to it that what was recorded and not taken back yet will be. To be told twice does no harm. It does not look
 * whether a booking exists: that one may be running, and may have looked before there was anything to take back.
 */
export async function bookReversal(db: Database, { environmentId, task, subject }: Reversal): Promise<void> {
  await inEnvironment(db, environmentId, (tx) => {
    const dueAt = tx.environment.clock.after(reversalDelayMs);
    return schedule(tx, [{ kind: task, subject, dueAt }]);
  });
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
        const dueAt = tx.environment.clock.after(delayMs);
        return schedule(tx, [{ kind: task, subject, payload: { told }, dueAt }]);
      });
    },
  };
}
