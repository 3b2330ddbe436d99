/** The time limits of each port, for a connection's rail. */
import { bankTimeLimits, withBankTimeLimits } from "../bank-time-limits.ts";
import { billerTimeLimits, withBillerTimeLimits } from "../biller-time-limits.ts";
import { cardTimeLimits, withCardTimeLimits } from "../card-time-limits.ts";
import { identityTimeLimitMs, withIdentityTimeLimit } from "../identity-time-limits.ts";
import { messageTimeLimitMs, withMessageTimeLimit } from "../message-time-limits.ts";
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
