/** Every night in Lagos, the days that wait for a comparison are put down as runs, for workers to take up. */
import { inEnvironment, operatorScope, timeIn } from "../platform/database/database.ts";
import { isAfter, lagosDate, lagosTime } from "../platform/time/lagos-date.ts";
import { findDueDays } from "./night-store.ts";
import { insertReconciliation, lockConnection } from "./reconciliation-store.ts";
import { type ComparedConnection, comparableBooks, type RunDependencies } from "./run-reconciliation.ts";

/** From two o'clock on: what was sent shortly before midnight has had its time. */
const nightHour = 2;
/** How far back days are caught up, and looked at again while something of them is open. */
const daysBack = 7;

const nightly = "nightly";

/** `now` is the moment of the operator's clock, unless a test has another. */
export async function planNight(deps: RunDependencies, now?: Date): Promise<void> {
  const moment = now ?? (await timeIn(deps.db, operatorScope));
  for (const connection of await deps.connections.list()) {
    if (await isCompared(deps, connection)) await planConnection(deps, connection, moment);
  }
}

/** Real money only: test connections are compared when somebody asks. */
export async function isCompared(
  { connections, orderBooks }: Pick<RunDependencies, "connections" | "orderBooks">,
  { id, mode, state }: ComparedConnection,
): Promise<boolean> {
  if (mode !== "live" || state === "retired") return false;
  const found = await connections.find(id);
  return found !== undefined && comparableBooks(orderBooks, found.connection, found.connected.books).length > 0;
}

async function planConnection(
  { db, log }: RunDependencies,
  { id: connectionId, createdAt }: ComparedConnection,
  now: Date,
): Promise<void> {
  const today = lagosDate(now);
  const isNight = lagosTime(now).hour >= nightHour;
  const until = today.subtract({ days: isNight ? 1 : 2 });
  const earliest = today.subtract({ days: daysBack });
  const began = lagosDate(createdAt);
  const from = isAfter(began, earliest) ? began : earliest;
  if (isAfter(from, until)) return;
  const nightBegan = lagosTime(now)
    .subtract({ days: isNight ? 0 : 1 })
    .with({ hour: nightHour, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 });
  const question = { connectionId, from: String(from), until: String(until), now };
  const planned = await inEnvironment(db, operatorScope, async (tx) => {
    await lockConnection(tx, connectionId);
    const dates = await findDueDays(tx, { ...question, nightBegan: new Date(nightBegan.epochMilliseconds) });
    for (const date of dates) await insertReconciliation(tx, { connectionId, date, requestedBy: nightly });
    return dates;
  });
  if (planned.length > 0) log.info({ connectionId, dates: planned }, "days are compared with a provider");
}
