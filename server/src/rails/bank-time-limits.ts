/** Puts a time limit on every call to a bank rail. */
import { answerWithin } from "./answer-within.ts";
import type { BankRail } from "./bank.ts";

export interface BankTimeLimits {
  readonly resolveMs: number;
  readonly sendMs: number;
  readonly queryMs: number;
}

export const bankTimeLimits: BankTimeLimits = { resolveMs: 15_000, sendMs: 30_000, queryMs: 15_000 };

export function withBankTimeLimits(
  rail: BankRail,
  limits: BankTimeLimits,
  onError: (error: unknown) => void,
): BankRail {
  const unknown = { outcome: "unknown", code: null } as const;
  const within = <T>(ms: number, call: () => Promise<T>, otherwise: T) => answerWithin(ms, call, otherwise, onError);
  return {
    ...rail,
    resolveAccount: (question) =>
      within(limits.resolveMs, () => rail.resolveAccount(question), { found: "unavailable" as const }),
    send: (order) => within(limits.sendMs, () => rail.send(order), unknown),
    query: (question) => within(limits.queryMs, () => rail.query(question), unknown),
  };
}
