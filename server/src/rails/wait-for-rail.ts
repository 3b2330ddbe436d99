/**
 * Orders that were accepted and find every rail closed: nothing is connected, or what is connected is paused, held or
 * unhealthy. They wait, however long it takes, and are never sent elsewhere than where a route leads.
 */

import { sql } from "kysely";
import type { EnvironmentKind, Tx } from "../platform/database/database.ts";
import { schedule } from "../platform/work/agenda.ts";
import type { Desk } from "./desk.ts";
import type { WaitingOrders } from "./order.ts";
import type { Take } from "./order-rounds.ts";

const retryMs = 5_000;
const longestRetryMs = 3_600_000;

const lookEveryMs = 1_000;
const takenWhileClosed = 10;

/**
 * What a round may take. Of a lane whose rails are closed that is a few orders now and then: the ones that were sent
 * already are asked about and the others put off; the long rest stays untouched until the rails open.
 */
export function createOpenTakes<Rail>(
  desk: Desk<Rail>,
  kind: EnvironmentKind,
): (takes: readonly Take[]) => Promise<readonly Take[]> {
  const lookedAt = new Map<string, number>();
  const takeFrom = async (take: Take): Promise<Take[]> => {
    const { environmentId, counterparty } = take;
    const lane = `${environmentId} ${counterparty}`;
    if (typeof (await desk.find({ environmentId, kind })) !== "string") {
      lookedAt.delete(lane);
      return [take];
    }
    const now = performance.now();
    if (now - (lookedAt.get(lane) ?? Number.NEGATIVE_INFINITY) < lookEveryMs) return [];
    lookedAt.set(lane, now);
    return [{ ...take, take: Math.min(take.take, takenWhileClosed) }];
  };
  return async (takes) => (await Promise.all(takes.map(takeFrom))).flat();
}

export interface Waiting {
  readonly id: string;
  readonly createdAt: Date;
}

/** Puts waiting orders off: in the world for seconds, under a clock that is moved by hand for a share of their age. */
export async function waitForRail(
  tx: Tx,
  orders: WaitingOrders,
  waiting: readonly Waiting[],
  delayOf = whileClosed,
): Promise<void> {
  for (const [delayMs, together] of Map.groupBy(waiting, (order) => delayOf(tx, order))) {
    await putOff(
      tx,
      orders,
      together.map(({ id }) => id),
      delayMs,
    );
  }
}

function whileClosed(tx: Tx, { createdAt }: Waiting): number {
  const { clock } = tx.environment;
  if (clock.mode === "running") return retryMs;
  const ageMs = clock.now().getTime() - createdAt.getTime();
  return Math.min(Math.max(retryMs, Math.floor(ageMs / 4)), longestRetryMs);
}

/** Orders that wait longer: no worker holds them, and none takes them up before their time. */
async function putOff(tx: Tx, { table, task }: WaitingOrders, ids: readonly string[], delayMs: number): Promise<void> {
  const { id, clock } = tx.environment;
  if (clock.mode === "running") {
    await sql`
      update ${sql.table(table)} set claim_at = clock_timestamp() + make_interval(secs => ${delayMs / 1000})
      where environment_id = ${id} and id = any (${ids}::uuid[]) and status = 'pending'`.execute(tx);
    return;
  }
  // A stopped clock brings its work by the agenda only.
  const dueAt = clock.after(delayMs);
  await schedule(
    tx,
    ids.map((subject) => ({ kind: task, subject, dueAt })),
  );
}
