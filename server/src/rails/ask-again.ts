const firstDelayMs = 2_000;
const longestDelayMs = 15 * 60_000;

/** How long to wait before asking a rail again about a payment that it was asked about so many times. */
export function delayAfter(queries: number): number {
  return Math.min(firstDelayMs * 2 ** Math.min(queries - 1, 20), longestDelayMs);
}
