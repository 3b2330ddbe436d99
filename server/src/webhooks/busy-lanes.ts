/**
 * How far the claims of busy endpoints have come. What has arrived stays in the index of the queue until the next
 * vacuum, and a claim from the beginning walks past all of it: so the next claims of a busy endpoint go on where the
 * last one ended. What was queued again behind that place (a retry, the next event of a line) is found by the claims
 * that begin at the beginning, a few a second, and as soon as nothing else is left.
 */
import type { BusyLane, ClaimedFromQueue } from "./claim-store.ts";
import { keyOf } from "./endpoint.ts";

/** Claimed at once for one endpoint. */
const busyFrom = 32;
const fromTheBeginningMs = 250;

export interface BusyLanes {
  /** For the next claim. */
  lanes(): readonly BusyLane[];
  note(claimed: readonly ClaimedFromQueue[]): void;
}

/** `now` is real time in milliseconds. */
export function createBusyLanes(now: () => number): BusyLanes {
  const busy = new Map<string, BusyLane>();
  let beganAt = Number.NEGATIVE_INFINITY;
  return {
    lanes() {
      if (now() - beganAt >= fromTheBeginningMs) busy.clear();
      if (busy.size === 0) beganAt = now();
      return [...busy.values()];
    },
    note(claimed) {
      if (claimed.length === 0) busy.clear();
      for (const [key, own] of Map.groupBy(claimed, keyOf)) {
        if (own.length < busyFrom && !busy.has(key)) continue;
        const { environmentId, endpointId, eventPosition } = own.reduce((one, other) =>
          other.eventPosition > one.eventPosition ? other : one,
        );
        busy.set(key, { environmentId, endpointId, eventPosition });
      }
    },
  };
}
