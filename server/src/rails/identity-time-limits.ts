/** Puts a time limit on every call to an identity rail. */
import { answerWithin } from "./answer-within.ts";
import type { IdentityRail } from "./identity.ts";

/** The registers are slow; a person without an answer in this time stays pending and is asked about again. */
export const identityTimeLimitMs = 15_000;

export function withIdentityTimeLimit(
  rail: IdentityRail,
  limitMs: number,
  onError: (error: unknown) => void,
): IdentityRail {
  const unavailable = { outcome: "unavailable" } as const;
  return { ...rail, verify: (question) => answerWithin(limitMs, () => rail.verify(question), unavailable, onError) };
}
