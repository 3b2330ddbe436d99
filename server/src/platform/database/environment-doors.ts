/**
 * Writers of one environment wait for one another here, in memory, and not with a connection of the pool in their
 * hands: however many queue up behind a reset or a frozen clock, the other environments find connections free. A door
 * lets at most a part of the pool in; a frozen sandbox, where writes happen one after another anyway, one at a time.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { commonProblem } from "../problem.ts";
import { createTurns, type Pass } from "../work/turns.ts";

export interface DoorOptions {
  /** Writers of one environment that may hold a connection at the same time. */
  readonly room: number;
  readonly mostWaiting?: number;
  readonly longestWaitMs?: number;
}

export interface EnvironmentDoors {
  /** Runs `work` when it is its turn; throws environment_busy when too many wait or the wait is too long. */
  through<T>(environmentId: string, pass: Pass, work: () => Promise<T>): Promise<T>;
  /** What a transaction found out about the environment's clock. */
  note(environmentId: string, mode: "running" | "frozen"): void;
  isFrozen(environmentId: string): boolean;
}

const inside = new AsyncLocalStorage<string>();

export function createEnvironmentDoors(options: DoorOptions): EnvironmentDoors {
  const { room, mostWaiting = 1_000, longestWaitMs = 30_000 } = options;
  const frozen = new Set<string>();
  const perOwner = (id: string): number => (frozen.has(id) ? 1 : room);
  const turns = createTurns({ perOwner, mostWaiting, longestWaitMs, refusal: environmentBusy });
  return {
    // A transaction within one of the same environment must not wait for itself.
    through: (id, pass, work) => (inside.getStore() === id ? work() : turns.take(id, () => inside.run(id, work), pass)),
    note: (id, mode) => void (mode === "frozen" ? frozen.add(id) : frozen.delete(id)),
    isFrozen: (id) => frozen.has(id),
  };
}

export function environmentBusy() {
  return commonProblem("environment_busy", { headers: { "retry-after": "1" } });
}
