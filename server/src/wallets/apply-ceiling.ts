/** Holding money that comes in against the ceilings, and setting them. In the operator's scope. */
import { type Kobo, nairaString } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { lockPlaces } from "../platform/database/lock-places.ts";
import { commonProblem } from "../platform/problem.ts";
import { type Origin, recordAudit } from "../platform/records/audit.ts";
import { lagosDate } from "../platform/time/lagos-date.ts";
import {
  type CeilingReason,
  type InboundCeiling,
  judgeAmount,
  type SetCeiling,
  startingCeiling,
} from "./inbound-ceiling.ts";
import { findCeiling, insertCeiling, sumCounted } from "./inbound-ceiling-store.ts";

/**
 * Whether a credit may go to the wallet by itself, and the day that it counts to. Locks: the wallet's day, until the
 * transaction ends, so that of two credits at once the later one sees the earlier.
 */
export async function judgeCredit(
  tx: Tx,
  walletId: string,
  amount: Kobo,
): Promise<CeilingReason | { readonly countedOn: Temporal.PlainDate }> {
  await lockPlaces(tx, [`jara.inbound/wallet/${walletId}`]);
  const countedOn = lagosDate(tx.environment.clock.now());
  const countedToday = await sumCounted(tx, walletId, countedOn);
  const ceiling = (await findCeiling(tx)) ?? startingCeiling;
  return judgeAmount(ceiling, { amount, countedToday }) ?? { countedOn };
}

/** From the next credit on. What waits in suspense stays there. */
export async function setCeiling(
  tx: Tx,
  { perCredit, perDay, reason }: InboundCeiling & { readonly reason: string },
  origin: Origin,
): Promise<SetCeiling> {
  if (perDay < perCredit) {
    const errors = [{ field: "perDay", message: "must not be below perCredit" }];
    throw commonProblem("validation_failed", { errors });
  }
  const set = await insertCeiling(tx, { perCredit, perDay, reason });
  await recordAudit(tx, origin, {
    action: "inbound_ceiling.set",
    subjectType: "inbound_ceiling",
    subjectId: "inbound",
    detail: { perCredit: nairaString(perCredit), perDay: nairaString(perDay), reason },
  });
  return set;
}
