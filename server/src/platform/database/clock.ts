/**
 * Domain code never reads the wall clock: it asks the clock of the environment it works in. A LIVE environment
 * follows real time, as PostgreSQL's machine has it: servers whose clocks differ, or jump, agree about when work is
 * due, because the question "is it due?" is put to the same clock. A sandbox runs at real time plus an offset, or is
 * frozen: then time stands still until it is moved, and ids come from the seed, so that equal inputs give an equal
 * event log.
 */
import { createHash } from "node:crypto";
import { V7Generator } from "uuidv7";
import type { Origin } from "./cause.ts";

export interface Clock {
  readonly mode: "running" | "frozen";
  /** The environment's time. */
  now(): Date;
  /** The environment's time, so many milliseconds later. */
  after(ms: number): Date;
  /** A new UUID (version 7) that carries the environment's time. */
  newId(): string;
  /** Bytes for everything else that is made up (session digits, simulated names); seeded when frozen. */
  randomBytes(length: number): Buffer;
  /** A new name for the draws of a task that is booked here; null where nothing is drawn from a seed. */
  branch(): string | null;
  /** The same moment, drawing from another stream of the same seed. */
  drawingFrom(stream: string): Clock;
}

/** The answer of `enter_environment`, and when it was given. */
export interface ClockRow {
  /** PostgreSQL's own time. */
  readonly database_now: Date;
  readonly mode: string;
  readonly offset_ms: bigint;
  readonly frozen_at: Date | null;
  readonly seed: string | null;
  /** Counts the transactions of requests in a frozen sandbox; with the seed it makes each one's ids its own. */
  readonly transaction_number: bigint;
}

export function clockFromRow(row: ClockRow, origin: Origin): Clock {
  if (row.mode !== "frozen" || row.frozen_at === null) return runningClock(row.database_now, Number(row.offset_ms));
  const seed = row.seed ?? "";
  if (origin.is === "request") return frozenClock(row.frozen_at, seed, String(row.transaction_number));
  if (origin.is === "task") return frozenClock(row.frozen_at, seed, origin.stream);
  return unseededClock(row.frozen_at, origin.is === "reader" ? refuseToDraw : cryptoRandom);
}

/** Of the ids that one process makes up in real time, a later one is the greater one. */
const realTimeIds = new V7Generator();

/** A transaction happens at one moment: time stands still from when it entered the environment. */
export function runningClock(realTime: Date, offsetMs: number): Clock {
  const at = realTime.getTime() + offsetMs;
  const clock: Clock = {
    mode: "running",
    now: () => new Date(at),
    after: (ms) => new Date(at + ms),
    newId: () => (offsetMs === 0 ? realTimeIds.generateOrResetWithTs(at).toString() : uuidAt(at, cryptoRandom(10))),
    randomBytes: cryptoRandom,
    branch: () => null,
    drawingFrom: () => clock,
  };
  return clock;
}

export function frozenClock(at: Date, seed: string, name: string): Clock {
  const stream = `${seed}/${name}`;
  let drawn = 0;
  let branches = 0;
  const seeded = (length: number): Buffer => {
    drawn += 1;
    const blocks: Buffer[] = [];
    for (let block = 0; block * 32 < length; block += 1) {
      blocks.push(createHash("sha256").update(`${stream}/${drawn}/${block}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, length);
  };
  return {
    mode: "frozen",
    now: () => new Date(at),
    after: (ms) => new Date(at.getTime() + ms),
    newId: () => uuidAt(at.getTime(), seeded(10)),
    randomBytes: seeded,
    branch: () => {
      branches += 1;
      return createHash("sha256").update(`${stream}/branch/${branches}`).digest("hex").slice(0, 32);
    },
    drawingFrom: (other) => frozenClock(at, seed, other),
  };
}

/** Time stands still, and what is drawn comes from no seed. */
function unseededClock(at: Date, draw: (length: number) => Buffer): Clock {
  const clock: Clock = {
    mode: "frozen",
    now: () => new Date(at),
    after: (ms) => new Date(at.getTime() + ms),
    newId: () => uuidAt(at.getTime(), draw(10)),
    randomBytes: draw,
    branch: () => null,
    drawingFrom: () => clock,
  };
  return clock;
}

function refuseToDraw(): never {
  throw new Error("a reader takes no place in a frozen sandbox's order and may not make up ids");
}

function cryptoRandom(length: number): Buffer {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(length)));
}

/** Lays out a version 7 UUID: 48 bits of milliseconds, then version, variant and 74 random bits. */
function uuidAt(ms: number, random: Buffer): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(ms, 0, 6);
  random.copy(bytes, 6, 0, 10);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
