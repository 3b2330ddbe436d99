/**
 * Finds money whose webhook never came: reads each provider's own list of payments, in windows, and hints at those that
 * are not booked. Each window that was read to its end moves the mark: a list that breaks off, or a worker that dies,
 * costs one window. Several workers may sweep at once; it costs a few calls more and books nothing twice.
 */
import { inEnvironment, operatorScope, readEnvironment, timeIn } from "../platform/database/database.ts";
import { giveHints } from "../rails/connections/give-hints.ts";
import { placeWaiting } from "./assign-suspense.ts";
import { filterUnbooked, moveSweepMark, readSweepMark, type SweepMark } from "./inbound-credit-store.ts";
import type { InboundDependencies, KnownConnection } from "./take-inbound-hint.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export const sweepPlan = {
  /** How old a list may be before it is read again. */
  everyMs: 5 * minuteMs,
  /** One window: what was missed in an outage is read in pieces. */
  windowMs: 6 * hourMs,
  /** Payments may show late in a list: each window begins so long before the mark, and once an hour much longer. */
  overlapMs: hourMs,
  lookBackMs: 48 * hourMs,
  lookBackEveryMs: hourMs,
} as const;

export async function sweepCredits(deps: InboundDependencies, at?: Date): Promise<void> {
  const now = at ?? (await timeIn(deps.db, operatorScope));
  for (const connection of await deps.connections.list()) {
    if (!connection.ports.includes("inbound")) continue;
    try {
      await sweepConnection(deps, connection, now);
    } catch (error) {
      // A provider that cannot be asked holds up nobody else, and is asked in the next round.
      deps.log.warn({ connectionId: connection.id, err: error }, "a provider's list of payments could not be read");
    }
  }
  const placed = await placeWaiting(deps.db);
  if (placed > 0) deps.log.info({ placed }, "money in suspense has found its wallet");
}

async function sweepConnection(deps: InboundDependencies, connection: KnownConnection, now: Date): Promise<void> {
  const { id: connectionId, mode, createdAt } = connection;
  const mark = (await readEnvironment(deps.db, operatorScope, (tx) => readSweepMark(tx, connectionId))) ?? {
    sweptTo: createdAt,
    lookedBackAt: createdAt,
  };
  const next = nextWindow(mark, now);
  if (next === undefined) return;
  const kind = mode === "live" ? "LIVE" : "SANDBOX";
  const rail = await deps.rails.inbound.bound({ environmentId: operatorScope, kind }, connectionId);
  let ids: string[] = [];
  for await (const id of rail.listCredits({ from: next.from, to: next.to })) {
    ids.push(id);
    if (ids.length < batch) continue;
    await hintAtUnbooked(deps, connection, ids);
    ids = [];
  }
  await hintAtUnbooked(deps, connection, ids);
  await inEnvironment(deps.db, operatorScope, (tx) => moveSweepMark(tx, connectionId, next.mark));
}

const batch = 200;

/** Undefined while the list is fresh. */
export function nextWindow(
  { sweptTo, lookedBackAt }: SweepMark,
  now: Date,
): { readonly from: Date; readonly to: Date; readonly mark: SweepMark } | undefined {
  const { everyMs, windowMs, overlapMs, lookBackMs, lookBackEveryMs } = sweepPlan;
  if (now.getTime() - sweptTo.getTime() < everyMs) return undefined;
  const looksBack = now.getTime() - lookedBackAt.getTime() >= lookBackEveryMs;
  const from = new Date(sweptTo.getTime() - (looksBack ? lookBackMs : overlapMs));
  const to = new Date(Math.min(now.getTime(), sweptTo.getTime() + windowMs));
  return { from, to, mark: { sweptTo: to, lookedBackAt: looksBack ? now : lookedBackAt } };
}

async function hintAtUnbooked(
  { db, log }: InboundDependencies,
  { id: connectionId, provider, mode }: KnownConnection,
  ids: readonly string[],
): Promise<void> {
  const unbooked = await readEnvironment(db, operatorScope, (tx) => filterUnbooked(tx, { provider, mode }, ids));
  if (unbooked.length === 0) return;
  const found = { connectionId, port: "inbound", orderIds: unbooked } as const;
  await inEnvironment(db, operatorScope, (tx) => giveHints(tx, found));
  log.info({ connectionId, count: unbooked.length }, "payments without a webhook were found in a provider's list");
}
