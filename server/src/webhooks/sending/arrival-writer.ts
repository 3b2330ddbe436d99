/**
 * Writes down what was acknowledged, in batches over all environments: a lone arrival is not delayed, and a busy
 * process does not pay a commit for each. A busy process also rests after each statement. Nobody waits for what it
 * writes but the next message about the same resource.
 */
import { setTimeout as pause } from "node:timers/promises";
import { besideEnvironment, type Database } from "../../platform/database/database.ts";
import { environmentBusy } from "../../platform/database/environment-doors.ts";
import type { Logger } from "../../platform/logger.ts";
import { createBatches } from "../../platform/work/batches.ts";
import { type Arrival, type Line, recordArrivals, releaseLines } from "../deliveries/delivery-store.ts";

export interface ArrivalWriter {
  /** Resolves when it is committed; rejects when it could not be, and the message will be sent again. */
  write(arrival: Arrival): Promise<void>;
  /** Releases lines again that a fan-out held. */
  release(lines: readonly Line[]): Promise<void>;
}

const mostAtOnce = 500;
const busyFrom = 5;
const restMs = 40;
const releaseTries = 200;
const releaseEveryMs = 5;
const gateTries = 150;
const gateEveryMs = 200;

export function createArrivalWriter(db: Database, log: Logger, rest = () => pause(restMs)): ArrivalWriter {
  const batches = createBatches<Arrival, "written" | "turned away">({
    slots: 1,
    atOnce: 1,
    batchSize: mostAtOnce,
    rest: (served) => (served >= busyFrom ? rest() : undefined),
    async serve(_, arrivals) {
      const { left, turnedAway } = await recordArrivals(db, arrivals);
      if (left.length > 0) void releaseAll(db, log, left);
      return arrivals.map(({ environmentId }) => (turnedAway.has(environmentId) ? "turned away" : "written"));
    },
  });
  return {
    async write(arrival) {
      for (let tries = 0; (await batches.submit("all", arrival)) === "turned away"; tries += 1) {
        // A sandbox that is being emptied is waited for outside, where it holds up nobody else's.
        await pause(gateEveryMs);
        if (tries >= gateTries) throw environmentBusy();
      }
    },
    release: (lines) => releaseAll(db, log, lines),
  };
}

async function releaseAll(db: Database, log: Logger, lines: readonly Line[]): Promise<void> {
  let left = lines;
  try {
    for (let tries = 0; left.length > 0 && tries < releaseTries; tries += 1) {
      await pause(releaseEveryMs);
      left = await releaseOnce(db, left);
    }
  } catch (error) {
    log.warn({ err: error, lines: left.length }, "deliveries in line were not released; the sweeper will");
  }
}

async function releaseOnce(db: Database, lines: readonly Line[]): Promise<Line[]> {
  const left: Line[] = [];
  for (const [environmentId, group] of Map.groupBy(lines, (line) => line.environmentId)) {
    left.push(...(await besideEnvironment(db, environmentId, (tx) => releaseLines(tx, group))));
  }
  return left;
}
