/** Puts a time limit on every call to a card rail. */
import { answerWithin } from "./answer-within.ts";
import type { CardLinkStart, CardRail } from "./card.ts";

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
