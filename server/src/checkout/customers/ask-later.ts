import type { Tx } from "../../platform/database/database.ts";
import { schedule } from "../../platform/work/agenda.ts";

/** Asking the identity provider again about a customer that nobody has verified yet. */
export const identityTask = "checkout.verify-identity";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How long to wait after so many questions without an answer; after that, once a day for as long as it takes. */
const waitsMs = [0, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs];
const longestWaitMs = 24 * hourMs;

/** Puts the question to the identity provider on the agenda again. */
export async function askLater(tx: Tx, customerId: string, unanswered: number): Promise<void> {
  const dueAt = tx.environment.clock.after(waitsMs[unanswered] ?? longestWaitMs);
  await schedule(tx, [{ kind: identityTask, subject: customerId, dueAt }]);
}
