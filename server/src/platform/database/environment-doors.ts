/**
 * Writers of one environment wait for one another here, in memory, and not with a connection of the pool in their
 * hands: however many queue up behind a reset or a frozen clock, the other environments find connections free. A door
 * lets at most a part of the pool in; a frozen sandbox, where writes happen one after another anyway, one at a time.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { commonProblem } from "../problem.ts";

export interface DoorOptions {
  /** Writers of one environment that may hold a connection at the same time. */
  readonly room: number;
  readonly mostWaiting?: number;
  readonly longestWaitMs?: number;
}

export interface Pass {
  /** Lets nobody else write meanwhile. */
  readonly alone: boolean;
  /** Background work comes back by itself if it is turned away, and there is never much of it. */
  readonly patient: boolean;
}

export interface EnvironmentDoors {
  /** Runs `work` when it is its turn; throws environment_busy when too many wait or the wait is too long. */
  through<T>(environmentId: string, pass: Pass, work: () => Promise<T>): Promise<T>;
  /** What a transaction found out about the environment's clock. */
  note(environmentId: string, mode: "running" | "frozen"): void;
  isFrozen(environmentId: string): boolean;
}

interface Waiter {
  readonly alone: boolean;
  enter(): void;
}

interface Door {
  inside: number;
  closed: boolean;
  readonly waiting: Waiter[];
}

const inside = new AsyncLocalStorage<string>();

function take(door: Door, alone: boolean): void {
  door.inside += 1;
  door.closed = alone;
}

export function createEnvironmentDoors(options: DoorOptions): EnvironmentDoors {
  const { room, mostWaiting = 1_000, longestWaitMs = 30_000 } = options;
  const doors = new Map<string, Door>();
  const frozen = new Set<string>();

  const admits = (id: string, door: Door, alone: boolean): boolean =>
    !door.closed && (alone ? door.inside === 0 : door.inside < (frozen.has(id) ? 1 : room));

  /** Strictly in line, so that a reset gets its turn however many write. */
  const letIn = (id: string, door: Door): void => {
    for (let next = door.waiting[0]; next !== undefined && admits(id, door, next.alone); next = door.waiting[0]) {
      door.waiting.shift();
      take(door, next.alone);
      next.enter();
    }
    if (door.inside === 0 && door.waiting.length === 0) doors.delete(id);
  };

  const wait = (id: string, door: Door, pass: Pass): Promise<void> =>
    new Promise((resolve, reject) => {
      if (!pass.patient && door.waiting.length >= mostWaiting) return reject(environmentBusy());
      const waiter: Waiter = {
        alone: pass.alone,
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        door.waiting.splice(door.waiting.indexOf(waiter), 1);
        // Those who stood behind a caller that wanted to be alone may go in now.
        letIn(id, door);
        reject(environmentBusy());
      }, longestWaitMs);
      door.waiting.push(waiter);
    });

  return {
    async through(id, pass, work) {
      // A transaction within one of the same environment must not wait for itself.
      if (inside.getStore() === id) return work();
      const door = doors.get(id) ?? { inside: 0, closed: false, waiting: [] };
      doors.set(id, door);
      if (door.waiting.length === 0 && admits(id, door, pass.alone)) take(door, pass.alone);
      else await wait(id, door, pass);
      try {
        return await inside.run(id, work);
      } finally {
        door.inside -= 1;
        door.closed = false;
        letIn(id, door);
      }
    },
    note: (id, mode) => void (mode === "frozen" ? frozen.add(id) : frozen.delete(id)),
    isFrozen: (id) => frozen.has(id),
  };
}

export function environmentBusy() {
  return commonProblem("environment_busy", { headers: { "retry-after": "1" } });
}
