/** What a run may read of each side, and how long it may take: it ends well before another worker takes it for dead. */
import { UnreadableDay } from "./unreadable-day.ts";

export const mostRows = 100_000;
const longestMs = 10 * 60_000;
export const leaseMs = 20 * 60_000;

/** Asked again and again while a side grows. Throws when it is too much. */
export function startGuard(): (rows: number) => void {
  const startedAt = performance.now();
  return (rows) => {
    if (rows > mostRows) {
      throw new UnreadableDay("day_too_large", `A side of the day has more than ${mostRows} records.`);
    }
    if (performance.now() - startedAt > longestMs) {
      throw new UnreadableDay("took_too_long", "The provider could not be read to the end within ten minutes.");
    }
  };
}
