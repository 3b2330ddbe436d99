/** A limit on every call to a rail, for each port. A call that runs over it, or throws, has an unknown outcome. */
import type { BankRail } from "./bank.ts";
import type { BillerRail } from "./biller.ts";
import type { CardLinkStart, CardRail } from "./card.ts";
import type { IdentityRail } from "./identity.ts";
import type { MessageRail } from "./message.ts";
import type { Port, PortRails } from "./provider.ts";

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

export interface CardTimeLimits {
  readonly linkMs: number;
  readonly chargeMs: number;
  readonly queryMs: number;
}

/** Issuers may take half a minute to say yes; a person waits for the link. */
export const cardTimeLimits: CardTimeLimits = { linkMs: 30_000, chargeMs: 45_000, queryMs: 15_000 };

export function withCardTimeLimits(
  rail: CardRail,
  limits: CardTimeLimits,
  onError: (error: unknown) => void,
): CardRail {
  const unknown = { outcome: "unknown" } as const;
  const within = <T>(ms: number, call: () => Promise<T>, otherwise: T) => answerWithin(ms, call, otherwise, onError);
  const { startLink } = rail;
  return {
    ...rail,
    ...(startLink === undefined
      ? {}
      : { startLink: (start: CardLinkStart) => within(limits.linkMs, () => startLink(start), unknown) }),
    link: (order) => within(limits.linkMs, () => rail.link(order), unknown),
    charge: (order) => within(limits.chargeMs, () => rail.charge(order), unknown),
    query: (question) => within(limits.queryMs, () => rail.query(question), unknown),
    refund: (order) => within(limits.chargeMs, () => rail.refund(order), unknown),
    queryRefund: (order) => within(limits.queryMs, () => rail.queryRefund(order), unknown),
    unlink: (card) => within(limits.linkMs, () => rail.unlink(card), unknown),
  };
}

/**
 * Puts a time limit on a call to the outside. A call that runs over it, or throws, has not failed: nobody knows what
 * became of it, and `otherwise` says so.
 */
export async function answerWithin<T>(
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
