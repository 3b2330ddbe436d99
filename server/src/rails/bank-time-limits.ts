/**
 * Puts a time limit on every call to a bank rail. A call that runs over it, or throws, has not failed: nobody knows
 * what became of it, and that is the answer.
 */
import type { BankRail } from "./bank.ts";

export interface BankTimeLimits {
  readonly resolveMs: number;
  readonly sendMs: number;
  readonly queryMs: number;
}

export const bankTimeLimits: BankTimeLimits = { resolveMs: 15_000, sendMs: 30_000, queryMs: 15_000 };

export function withTimeLimits(rail: BankRail, limits: BankTimeLimits, onError: (error: unknown) => void): BankRail {
  const unknown = { outcome: "unknown", nipCode: null } as const;
  const within = <T>(ms: number, call: () => Promise<T>, otherwise: T) => answerWithin(ms, call, otherwise, onError);
  return {
    ...rail,
    resolveAccount: (question) =>
      within(limits.resolveMs, () => rail.resolveAccount(question), { found: "unavailable" as const }),
    send: (order) => within(limits.sendMs, () => rail.send(order), unknown),
    query: (question) => within(limits.queryMs, () => rail.query(question), unknown),
  };
}

async function answerWithin<T>(
  ms: number,
  call: () => Promise<T>,
  otherwise: T,
  onError: (error: unknown) => void,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ms);
  });
  try {
    return await Promise.race([call(), late]);
  } catch (error) {
    onError(error);
    return otherwise;
  } finally {
    clearTimeout(timer);
  }
}
