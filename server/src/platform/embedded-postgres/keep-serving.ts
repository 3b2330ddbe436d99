/**
 * Looks whether PostgreSQL is still there, and has it started again when it is not: it was killed, or the machine ran
 * out of memory. Every living server on the folder looks; the first one to have its turn starts it, the others find it.
 */
import { setTimeout as pause } from "node:timers/promises";

const lookEveryMs = 200;
/** After a start that failed, a disk may have room again, or a port may be free. */
const restMs = 1_000;

export interface Keeping {
  isThere(): boolean;
  /** Brings it back. Safe to repeat. */
  revive(): Promise<void>;
  onRevival(revival: Revival): void;
}

/** What was found: it is back after so long, or could not be started. */
export type Revival = { readonly backAfterMs: number } | { readonly error: unknown };

/** Until `stopped`. */
export async function keepServing({ isThere, revive, onRevival }: Keeping, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const missedAt = performance.now();
    let restingMs = lookEveryMs;
    if (!isThere()) {
      try {
        await revive();
        if (!stopped.aborted) onRevival({ backAfterMs: Math.round(performance.now() - missedAt) });
      } catch (error) {
        onRevival({ error });
        restingMs = restMs;
      }
    }
    await pause(restingMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
  }
}
