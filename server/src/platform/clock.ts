/**
 * Domain code never reads the wall clock: it asks the clock of the environment it works in. A LIVE environment
 * follows real time. A sandbox runs at real time plus an offset, or is frozen: then time stands still until it is
 * moved, and ids come from the seed, so that equal inputs give an equal event log.
 */
import { createHash } from "node:crypto";
import { uuidv7 } from "uuidv7";

export interface Clock {
  readonly mode: "running" | "frozen";
  /** The environment's time. */
  now(): Date;
  /** A new UUID (version 7) that carries the environment's time. */
  newId(): string;
  /** Bytes for everything else that is made up (session digits, simulated names); seeded when frozen. */
  randomBytes(length: number): Buffer;
}

/** The answer of `enter_environment`. */
export interface ClockRow {
  readonly mode: string;
  readonly offset_ms: bigint;
  readonly frozen_at: Date | null;
  readonly seed: string | null;
  /** Counts writing transactions of a frozen sandbox; with the seed it makes each one's ids its own. */
  readonly transaction_number: bigint;
}

export function clockFromRow(row: ClockRow): Clock {
  if (row.mode === "frozen" && row.frozen_at !== null) {
    return frozenClock(row.frozen_at, `${row.seed ?? ""}/${row.transaction_number}`);
  }
  return runningClock(Number(row.offset_ms));
}

/** A transaction happens at one moment: time stands still from when it entered the environment. */
export function runningClock(offsetMs: number): Clock {
  const at = Date.now() + offsetMs;
  return {
    mode: "running",
    now: () => new Date(at),
    newId: () => (offsetMs === 0 ? uuidv7() : uuidAt(at, cryptoRandom(10))),
    randomBytes: cryptoRandom,
  };
}

export function frozenClock(at: Date, stream: string): Clock {
  let drawn = 0;
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
    newId: () => uuidAt(at.getTime(), seeded(10)),
    randomBytes: seeded,
  };
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
