/**
 * How many messages may be under way to an endpoint at once. A new endpoint begins with few; each success allows one
 * more, each failure half as many. After some failures in a row the circuit opens: from then on one message at a time
 * tries whether the endpoint is back, with growing pauses, and all endpoints in that state share a bounded part of what
 * this process has under way. So an endpoint that hangs holds a few connections and nobody else's.
 *
 * An endpoint that takes as many at once as anybody may would wait for the next claim each time. Some more are claimed
 * for it, as many as it is likely to take in a third of the longest wait, and wait here for their turn; what waits too
 * long, or when the circuit opens, is left to its lease.
 */
import { type EndpointKey, keyOf } from "./endpoint.ts";

export interface CircuitLimits {
  readonly first: number;
  readonly most: number;
  /** Failures in a row that open the circuit. */
  readonly failures: number;
  readonly shortestPauseMs: number;
  readonly longestPauseMs: number;
  /** Messages under way to endpoints whose last one failed, in all. */
  readonly mostSuspect: number;
  /** Messages that wait for their turn at endpoints that are well, in all. */
  readonly mostAhead: number;
  /** With the time that a message may take it must be shorter than a lease. */
  readonly longestWaitMs: number;
}

export const standardLimits: CircuitLimits = {
  first: 4,
  most: 64,
  failures: 5,
  shortestPauseMs: 100,
  longestPauseMs: 10_000,
  mostSuspect: 500,
  mostAhead: 600,
  longestWaitMs: 15_000,
};

interface Lane {
  /** Claimed: being sent, or waiting for its turn. */
  underWay: number;
  readonly waiting: Waiting[];
  window: number;
  failures: number;
  pausedUntil: number;
  usedAt: number;
  /** How long a message takes there, about: the last few count most. */
  tookMs: number;
}

interface Waiting {
  readonly since: number;
  go(mayGo: boolean): void;
}

export interface Circuits {
  /** Resolves when the message may be sent, and to false when it is left to its lease: then it is over here. */
  begin(endpoint: EndpointKey): Promise<boolean>;
  end(endpoint: EndpointKey, succeeded: boolean, tookMs?: number): void;
  /** Room of the endpoints that are known; the others have room for `first`. */
  rooms(): Rooms;
}

/** How many messages to which endpoint, by `keyOf`. */
export type Rooms = ReadonlyMap<string, number>;

const forgetAfterMs = 600_000;
/** So many messages make the figure of how long one takes. */
const tookOver = 16;

/** `now` is real time in milliseconds. */
export function createCircuits(limits: CircuitLimits, now: () => number): Circuits {
  const lanes = new Map<string, Lane>();
  const fresh = { failures: 0, pausedUntil: 0, usedAt: 0, tookMs: 0, underWay: 0, window: limits.first };
  const { change, aheadRoom } = createAheadTally(limits);

  return {
    begin(endpoint) {
      const lane = lanes.getOrInsertComputed(keyOf(endpoint), () => ({ ...fresh, waiting: [] }));
      const since = now();
      lane.usedAt = since;
      const hasTurn = sendingOf(lane) < lane.window;
      change(lane, () => (lane.underWay += 1));
      return hasTurn ? Promise.resolve(true) : new Promise((go) => lane.waiting.push({ since, go }));
    },
    end(endpoint, succeeded, tookMs = 0) {
      const lane = lanes.get(keyOf(endpoint));
      if (lane === undefined) throw new Error(`nothing is under way to ${keyOf(endpoint)}`);
      lane.tookMs += (tookMs - lane.tookMs) / tookOver;
      change(lane, () => {
        lane.underWay -= 1;
        if (succeeded) succeed(lane, limits);
        else fail(lane, limits, now());
      });
      callUp(lane, limits, now(), change);
    },
    rooms() {
      const at = now();
      for (const [key, lane] of lanes) {
        if (lane.underWay === 0 && at - lane.usedAt > forgetAfterMs) lanes.delete(key);
      }
      return roomsOf(lanes, limits, at, aheadRoom());
    },
  };
}

type Change = (lane: Lane, by: () => void) => void;

/** Counts what is ahead of its turn in all lanes, as they change. */
function createAheadTally({ mostAhead }: CircuitLimits): { change: Change; aheadRoom: () => number } {
  let ahead = 0;
  return {
    change(lane, by) {
      const before = aheadOf(lane);
      by();
      ahead += aheadOf(lane) - before;
    },
    aheadRoom: () => Math.max(0, mostAhead - ahead),
  };
}

/** Sends on whoever waits, as far as the window goes. */
function callUp(lane: Lane, limits: CircuitLimits, at: number, change: Change): void {
  const isOpen = lane.failures >= limits.failures;
  while (isOpen || sendingOf(lane) < lane.window) {
    const next = lane.waiting.shift();
    if (next === undefined) return;
    const mayGo = !isOpen && at - next.since <= limits.longestWaitMs;
    if (!mayGo) change(lane, () => (lane.underWay -= 1));
    next.go(mayGo);
  }
}

function sendingOf({ underWay, waiting }: Lane): number {
  return underWay - waiting.length;
}

/** What was claimed beyond what may be sent at once. */
function aheadOf({ underWay, window }: Lane): number {
  return Math.max(0, underWay - window);
}

/** What more may wait there: a slow endpoint's would have to be left to their leases, and it would take all there is. */
function moreAheadOf(lane: Lane, limits: CircuitLimits): number {
  const takes = Math.floor((lane.window * limits.longestWaitMs) / 3 / Math.max(1, lane.tookMs));
  return Math.max(0, takes - aheadOf(lane));
}

/** It takes as many as anybody may, and all of them arrive. */
function isAtBest({ failures, window }: Lane, limits: CircuitLimits): boolean {
  return failures === 0 && window === limits.most;
}

/** Those that are at their best and busy share what may wait for its turn. */
function roomsOf(lanes: ReadonlyMap<string, Lane>, limits: CircuitLimits, at: number, aheadRoom: number): Rooms {
  const isBusy = (lane: Lane) => isAtBest(lane, limits) && lane.underWay >= limits.most / 2;
  const aheadShare = Math.floor(aheadRoom / Math.max(1, lanes.values().filter(isBusy).toArray().length));
  let suspectRoom = limits.mostSuspect;
  for (const lane of lanes.values()) if (lane.failures > 0) suspectRoom -= lane.underWay;
  const rooms = new Map<string, number>();
  for (const [key, lane] of lanes) {
    const ahead = isBusy(lane) ? Math.min(aheadShare, moreAheadOf(lane, limits)) : 0;
    const wanted = roomOf(lane, limits, at) + ahead;
    const room = lane.failures > 0 ? Math.max(0, Math.min(wanted, suspectRoom)) : wanted;
    if (lane.failures > 0) suspectRoom -= room;
    rooms.set(key, room);
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
