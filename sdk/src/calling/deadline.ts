/** One signal for a call: it fires when the caller gives up or when the time of the whole call is over. */
import type { SignalLike } from "./fetching.ts";

export interface Deadline {
  readonly signal: AbortSignal;
  /** What is left of the time. */
  leftMs(): number;
  /** The time is over, and the caller has not given up. */
  isOver(): boolean;
  clear(): void;
}

export function startDeadline(timeoutMs: number, callers: SignalLike | undefined): Deadline {
  const ends = Date.now() + timeoutMs;
  const controller = new AbortController();
  let isOver = false;
  const giveUp = (): void => controller.abort(callers?.reason);
  if (callers?.aborted) giveUp();
  else callers?.addEventListener("abort", giveUp);
  const timer = setTimeout(() => {
    isOver = !controller.signal.aborted;
    controller.abort();
  }, timeoutMs);
  return {
    signal: controller.signal,
    leftMs: () => ends - Date.now(),
    isOver: () => isOver,
    clear: () => {
      clearTimeout(timer);
      callers?.removeEventListener("abort", giveUp);
    },
  };
}
