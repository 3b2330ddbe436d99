/** Puts a time limit on every call to a biller rail. */
import { answerWithin } from "./answer-within.ts";
import type { BillerRail } from "./biller.ts";

export interface BillerTimeLimits {
  readonly validateMs: number;
  readonly vendMs: number;
  readonly queryMs: number;
}

/** Electricity companies take their time over a token. */
export const billerTimeLimits: BillerTimeLimits = { validateMs: 15_000, vendMs: 60_000, queryMs: 15_000 };

export function withBillerTimeLimits(
  rail: BillerRail,
  limits: BillerTimeLimits,
  onError: (error: unknown) => void,
): BillerRail {
  const unknown = { outcome: "unknown", code: null } as const;
  const within = <T>(ms: number, call: () => Promise<T>, otherwise: T) => answerWithin(ms, call, otherwise, onError);
  return {
    ...rail,
    validate: (question) => within(limits.validateMs, () => rail.validate(question), { found: "unavailable" as const }),
    vend: (order) => within(limits.vendMs, () => rail.vend(order), unknown),
    query: (question) => within(limits.queryMs, () => rail.query(question), unknown),
  };
}
