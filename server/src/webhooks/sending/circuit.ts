/**
 * How many messages may be under way to an endpoint at once. A new endpoint begins with few; each success allows one
 * more, each failure half as many. After some failures in a row the circuit opens: from then on one message at a time
 * tries whether the endpoint is back, with growing pauses, and all endpoints in that state share a bounded part of what
 * this process has under way. So an endpoint that hangs holds a few connections and nobody else's.
 */
import type { EnvironmentKind } from "../../platform/database/database.ts";
import { type EndpointKey, keyOf } from "../endpoints/endpoint.ts";
import type { Claim } from "./claim-store.ts";

/** How many messages may be under way at once, in all. */
export interface WebhookSlots {
  readonly all: number;
  /** Of these so many are never taken by sandboxes, whose receivers may all hang. */
  readonly live: number;
}

export const standardSlots: WebhookSlots = { all: 2_000, live: 500 };
const claimAtOnce = 500;

/** What a round may claim: live may fill every slot, sandboxes all but those of live. */
export function freeSlots({ all, live }: WebhookSlots, underWay: readonly EnvironmentKind[]): Claim["most"] {
  const most = Math.max(0, Math.min(claimAtOnce, all - underWay.length));
  const ofSandboxes = all - live - underWay.filter((kind) => kind === "SANDBOX").length;
  return { LIVE: most, SANDBOX: Math.max(0, Math.min(most, ofSandboxes)) };
}

export interface CircuitLimits {
  readonly first: number;
  readonly most: number;
  /** Failures in a row that open the circuit. */
  readonly failures: number;
  readonly shortestPauseMs: number;
  readonly longestPauseMs: number;
  /** Messages under way to endpoints whose last one failed, in all. */
  readonly mostSuspect: number;
}

export const standardLimits: CircuitLimits = {
  first: 4,
  most: 64,
  failures: 5,
  shortestPauseMs: 100,
  longestPauseMs: 10_000,
  mostSuspect: 500,
};

interface Lane {
  underWay: number;
  window: number;
  failures: number;
  pausedUntil: number;
  usedAt: number;
}

export interface Circuits {
  begin(endpoint: EndpointKey): void;
  end(endpoint: EndpointKey, succeeded: boolean): void;
  /** Room of the endpoints that are known; the others have room for `first`. */
  rooms(): Rooms;
}

/** How many messages to which endpoint, by `keyOf`. */
export type Rooms = ReadonlyMap<string, number>;

const forgetAfterMs = 600_000;

/** `now` is real time in milliseconds. */
export function createCircuits(limits: CircuitLimits, now: () => number): Circuits {
  const lanes = new Map<string, Lane>();
  const fresh = { failures: 0, pausedUntil: 0, usedAt: 0, underWay: 0, window: limits.first };

  return {
    begin(endpoint) {
      const lane = lanes.getOrInsertComputed(keyOf(endpoint), () => ({ ...fresh }));
      lane.usedAt = now();
      lane.underWay += 1;
    },
    end(endpoint, succeeded) {
      const lane = lanes.get(keyOf(endpoint));
      if (lane === undefined) throw new Error(`nothing is under way to ${keyOf(endpoint)}`);
      lane.underWay -= 1;
      if (succeeded) succeed(lane, limits);
      else fail(lane, limits, now());
    },
    rooms() {
      const at = now();
      for (const [key, lane] of lanes) {
        if (lane.underWay === 0 && at - lane.usedAt > forgetAfterMs) lanes.delete(key);
      }
      return roomsOf(lanes, limits, at);
    },
  };
}

/** Endpoints that fail share a part of what is under way. */
function roomsOf(lanes: ReadonlyMap<string, Lane>, limits: CircuitLimits, at: number): Rooms {
  let suspectRoom = limits.mostSuspect;
  for (const { failures, underWay } of lanes.values()) if (failures > 0) suspectRoom -= underWay;
  const rooms = new Map<string, number>();
  for (const [key, lane] of lanes) {
    const room = roomOf(lane, limits, at);
    const shared = lane.failures > 0 ? Math.max(0, Math.min(room, suspectRoom)) : room;
    if (lane.failures > 0) suspectRoom -= shared;
    rooms.set(key, shared);
  }
  return rooms;
}

function succeed(lane: Lane, limits: CircuitLimits): void {
  lane.failures = 0;
  lane.pausedUntil = 0;
  lane.window = Math.min(limits.most, lane.window + 1);
}

function fail(lane: Lane, limits: CircuitLimits, at: number): void {
  lane.failures += 1;
  lane.window = Math.max(1, Math.floor(lane.window / 2));
  const beyond = lane.failures - limits.failures;
  if (beyond >= 0) lane.pausedUntil = at + Math.min(limits.longestPauseMs, limits.shortestPauseMs * 2 ** beyond);
}

function roomOf(lane: Lane, limits: CircuitLimits, at: number): number {
  if (lane.failures < limits.failures) return Math.max(0, lane.window - lane.underWay);
  return lane.underWay === 0 && at >= lane.pausedUntil ? 1 : 0;
}
