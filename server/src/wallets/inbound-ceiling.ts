/**
 * How much of what providers take in may reach a wallet by itself: one credit, and all credits of one wallet in a day
 * of Lagos. What is above waits in suspense until an operator has looked: a provider's answer may be wrong by some
 * zeros, and what is booked can be paid out at once. An operator's assignment is not limited and uses nothing up.
 */
import { add } from "../money/arithmetic.ts";
import { type Kobo, kobo } from "../money/kobo.ts";

export interface InboundCeiling {
  readonly perCredit: Kobo;
  readonly perDay: Kobo;
}

/** As an operator set it. */
export interface SetCeiling extends InboundCeiling {
  readonly reason: string;
  readonly setAt: Date;
}

/** Until an operator sets another one. */
export const startingCeiling: InboundCeiling = {
  perCredit: kobo(10_000_000_000n),
  perDay: kobo(100_000_000_000n),
};

export type CeilingReason = "credit_ceiling" | "daily_ceiling";

/** What stands against a credit; null if nothing does. */
export function judgeAmount(
  { perCredit, perDay }: InboundCeiling,
  { amount, countedToday }: { readonly amount: Kobo; readonly countedToday: Kobo },
): CeilingReason | null {
  if (amount > perCredit) return "credit_ceiling";
  return add(countedToday, amount) > perDay ? "daily_ceiling" : null;
}
