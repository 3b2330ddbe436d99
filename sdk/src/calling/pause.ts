import type { SignalLike } from "./fetching.ts";

/** Waits, and ends at once with the signal's reason when it is aborted. */
export function pause(ms: number, signal?: SignalLike): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = (settle: () => void) => () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      settle();
    };
    const abort = end(() => reject(signal?.reason));
    const timer = setTimeout(
      end(() => resolve()),
      ms,
    );
    signal?.addEventListener("abort", abort);
  });
}
