/**
 * Writes down what was acknowledged, many at a time: while one statement is under way the next ones gather, so that a
 * lone arrival is not delayed and a busy process does not pay a commit for each. A busy process also rests after each
 * statement. Nobody waits for what it writes but the next message about the same resource.
 */
import { setTimeout as pause } from "node:timers/promises";
import { besideEnvironment, type Database } from "../platform/database/database.ts";
import { environmentBusy } from "../platform/database/environment-doors.ts";
import type { Logger } from "../platform/logger.ts";
import { type Arrival, type Line, recordArrivals, releaseLines } from "./delivery-store.ts";

export interface ArrivalWriter {
  /** Resolves when it is committed; rejects when it could not be, and the message will be sent again. */
  write(arrival: Arrival): Promise<void>;
  /** Releases lines again that a fan-out held. */
  release(lines: readonly Line[]): Promise<void>;
}

interface Waiting {
  readonly arrival: Arrival;
  readonly tries: number;
  resolve(): void;
  reject(error: unknown): void;
}

const mostAtOnce = 500;
const busyFrom = 5;
const restMs = 40;
const releaseTries = 200;
const releaseEveryMs = 5;
const gateTries = 150;
const gateEveryMs = 200;

export function createArrivalWriter(db: Database, log: Logger, rest = () => pause(restMs)): ArrivalWriter {
  const waiting: Waiting[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    writing = true;
    // Arrivals of the same moment go together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.splice(0, mostAtOnce);
      await writeSome(batch);
      if (batch.length >= busyFrom) await rest();
    }
    writing = false;
  }

  async function writeSome(batch: readonly Waiting[]): Promise<void> {
    try {
      const { left, turnedAway } = await recordArrivals(
        db,
        batch.map(({ arrival }) => arrival),
      );
      const isOut = ({ arrival }: Waiting) => turnedAway.has(arrival.environmentId);
      for (const item of batch) if (!isOut(item)) item.resolve();
      if (left.length > 0) void releaseAll(db, log, left);
      if (turnedAway.size > 0) void comeBack(batch.filter(isOut));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function offer(items: readonly Waiting[]): void {
    waiting.push(...items);
    if (!writing) void writeAll();
  }

  /** A sandbox that is being emptied is waited for outside, where it holds up nobody else's. */
  async function comeBack(items: readonly Waiting[]): Promise<void> {
    await pause(gateEveryMs);
    const again = items.filter(({ tries }) => tries < gateTries);
    for (const item of items) if (!again.includes(item)) item.reject(environmentBusy());
    offer(again.map((item) => ({ ...item, tries: item.tries + 1 })));
  }

  return {
    write: (arrival) =>
      new Promise((resolve, reject) => {
        offer([{ arrival, tries: 0, resolve, reject }]);
      }),
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
