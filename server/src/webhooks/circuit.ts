/**
 * How many messages may be under way to an endpoint at once. A new endpoint begins with few; each success allows one
 * more, each failure half as many. After some failures in a row the circuit opens: from then on one message at a time
 * tries whether the endpoint is back, with growing pauses, and all endpoints in that state share a bounded part of what
 * this process has under way. So an endpoint that hangs holds a few connections and nobody else's.
 */
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
  begin(endpointId: string): void;
  end(endpointId: string, succeeded: boolean): void;
  /** Room of the endpoints that are known; the others have room for `first`. */
  rooms(): ReadonlyMap<string, number>;
}

const forgetAfterMs = 600_000;

/** `now` is real time in milliseconds. */
export function createCircuits(limits: CircuitLimits, now: () => number): Circuits {
  const lanes = new Map<string, Lane>();

  function laneOf(endpointId: string): Lane {
    const known = lanes.get(endpointId);
    if (known !== undefined) return known;
    const lane = { underWay: 0, window: limits.first, failures: 0, pausedUntil: 0, usedAt: now() };
    lanes.set(endpointId, lane);
    return lane;
  }

  return {
    begin(endpointId) {
      const lane = laneOf(endpointId);
      lane.underWay += 1;
      lane.usedAt = now();
    },
    end(endpointId, succeeded) {
      const lane = laneOf(endpointId);
      lane.underWay -= 1;
      if (succeeded) succeed(lane, limits);
      else fail(lane, limits, now());
    },
    rooms() {
      const at = now();
      for (const [id, lane] of lanes) if (lane.underWay === 0 && at - lane.usedAt > forgetAfterMs) lanes.delete(id);
      let suspectRoom = limits.mostSuspect;
      for (const lane of lanes.values()) if (lane.failures > 0) suspectRoom -= lane.underWay;
      const rooms = new Map<string, number>();
      for (const [id, lane] of lanes) {
        const wanted = roomOf(lane, limits, at);
        const room = lane.failures > 0 ? Math.max(0, Math.min(wanted, suspectRoom)) : wanted;
        if (lane.failures > 0) suspectRoom -= room;
        rooms.set(id, room);
      }
      return rooms;
    },
  };
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
