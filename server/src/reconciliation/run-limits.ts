/** What a run may read of each side, and how long it may take: it ends well before another worker takes it for dead. */
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

/** Why a day could not be compared: then nothing is said about it. */
export class UnreadableDay extends Error {
  readonly code: "provider_unreadable" | "day_too_large" | "took_too_long";

  constructor(code: UnreadableDay["code"], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "UnreadableDay";
    this.code = code;
  }
}

/** What went wrong while the provider was asked. Adapters write their own words, never a reply's. */
export function unreadable(error: unknown): UnreadableDay {
  if (error instanceof UnreadableDay) return error;
  const words = error instanceof Error ? error.message : "The provider's records could not be read";
  return new UnreadableDay("provider_unreadable", `${words}. Run it again when the provider can be reached.`, error);
}
