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
