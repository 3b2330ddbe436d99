/** The time limits of each port, for a connection's rail. */

import { answerWithin } from "../answer-within.ts";
import { bankTimeLimits, withBankTimeLimits } from "../bank-time-limits.ts";
import { billerTimeLimits, withBillerTimeLimits } from "../biller-time-limits.ts";
import { cardTimeLimits, withCardTimeLimits } from "../card-time-limits.ts";
import type { IdentityRail } from "../identity.ts";
import type { MessageRail } from "../message.ts";
import type { Port, PortRails } from "../provider.ts";

type Limiters = { readonly [P in Port]: (rail: PortRails[P], onError: (error: unknown) => void) => PortRails[P] };

const limiters: Limiters = {
  bank: (rail, onError) => withBankTimeLimits(rail, bankTimeLimits, onError),
  biller: (rail, onError) => withBillerTimeLimits(rail, billerTimeLimits, onError),
  card: (rail, onError) => withCardTimeLimits(rail, cardTimeLimits, onError),
  message: (rail, onError) => withMessageTimeLimit(rail, messageTimeLimitMs, onError),
  identity: (rail, onError) => withIdentityTimeLimit(rail, identityTimeLimitMs, onError),
  // A sweep over credits takes as long as it takes; each of its calls has the wire's own limit.
  inbound: (rail) => rail,
};

export function withTimeLimits<P extends Port>(
  port: P,
  rail: PortRails[P],
  onError: (error: unknown) => void,
): PortRails[P] {
  return limiters[port](rail, onError);
}

/** Puts a time limit on every call to a message rail. */

/** Somebody sits before a page and waits for the code. */
export const messageTimeLimitMs = 10_000;

export function withMessageTimeLimit(
  rail: MessageRail,
  limitMs: number,
  onError: (error: unknown) => void,
): MessageRail {
  const unknown = { outcome: "unknown" } as const;
  return { ...rail, send: (message) => answerWithin(limitMs, () => rail.send(message), unknown, onError) };
}

/** Puts a time limit on every call to an identity rail. */

/** The registers are slow; a person without an answer in this time stays pending and is asked about again. */
const identityTimeLimitMs = 15_000;

export function withIdentityTimeLimit(
  rail: IdentityRail,
  limitMs: number,
  onError: (error: unknown) => void,
): IdentityRail {
  const unavailable = { outcome: "unavailable" } as const;
  return { ...rail, verify: (question) => answerWithin(limitMs, () => rail.verify(question), unavailable, onError) };
}
