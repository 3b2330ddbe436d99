/**
 * Sandboxes and live environments use one pool of connections. What sandboxes have under way at one time is at most a
 * part of it: the rest is left to live environments, operators and the loops that serve everybody. A sandbox's
 * transaction beyond that waits in memory, and sandboxes take turns.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { commonProblem } from "../problem.ts";
import { createTurns } from "../work/turns.ts";

export interface SandboxShare {
  /** Runs `work`, a sandbox's when there is a place for it. Throws unavailable when that takes too long. */
  through<T>(environmentId: string, work: () => Promise<T>): Promise<T>;
  /** What a transaction found out. Until then an environment may be live, and is served as one. */
  noteSandbox(environmentId: string): void;
}

const longestWaitMs = 30_000;
const refusal = () => commonProblem("unavailable", { headers: { "retry-after": "1" } });

/** The place that the work around holds; a place that was given back is none. */
const inside = new AsyncLocalStorage<{ isHeld: boolean }>();

/** How many connections of a pool sandboxes may hold together. */
export function sandboxPlaces(poolSize: number): number {
  return Math.max(1, poolSize - Math.ceil(poolSize / 4));
}

export function createSandboxShare(poolSize: number): SandboxShare {
  const sandboxes = new Set<string>();
  const turns = createTurns({ places: sandboxPlaces(poolSize), longestWaitMs, refusal });
  return {
    through: (environmentId, work) => {
      // A transaction within another one must not wait for the place that the other holds.
      if (!sandboxes.has(environmentId) || inside.getStore()?.isHeld === true) return work();
      return turns.take(environmentId, async () => {
        const place = { isHeld: true };
        try {
          return await inside.run(place, work);
        } finally {
          place.isHeld = false;
        }
      });
    },
    noteSandbox: (environmentId) => void sandboxes.add(environmentId),
  };
}
