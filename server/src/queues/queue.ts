/** How a queue is doing follows from how long its oldest entry has waited. */
import type { QueueKind } from "../platform/slice-description.ts";

export const queueStates = ["ok", "slow", "stuck"] as const;
export type QueueState = (typeof queueStates)[number];

export interface Queue extends QueueKind {
  readonly kind: string;
  readonly environment: "SANDBOX" | "LIVE";
  readonly depth: number;
  /** 0 while nothing waits. */
  readonly oldestSeconds: number;
  /** Due later than anything of its kind may be: booked by a wrong clock, and about to be brought forward. */
  readonly misdated: number;
}

const stuckTimes = 10;

export function stateOf({ slowSeconds, oldestSeconds }: Pick<Queue, "slowSeconds" | "oldestSeconds">): QueueState {
  if (oldestSeconds < slowSeconds) return "ok";
  return oldestSeconds < slowSeconds * stuckTimes ? "slow" : "stuck";
}
