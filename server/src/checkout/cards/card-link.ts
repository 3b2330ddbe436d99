/**
 * A card link invites a customer to the hosted card page. Anybody who holds its address may link a card to that
 * customer for half an hour, so a new link takes the place of the older ones.
 *
 *   pending ◀─▶ processing ──▶ linked
 *      │            │ ▲
 *      │            ▼ │ another card
 *      │         declined
 *      └─▶ stale ◀──┘
 *
 * The page's token goes in the address's fragment, which no server and no log ever sees. The step to `processing` is
 * committed before the card network is asked, and the network knows each try by an id of its own: an unclear answer is
 * asked for again, and a refused card can be followed by another. Where the processor has a page of its own, the holder
 * is there while the link is `processing`; one who leaves that page without a card leaves a link as it was before. What
 * was not used in time is expired, which follows from the clock and is not a state.
 */
export const linkTransitions = {
  pending: ["processing", "stale"],
  processing: ["linked", "declined", "pending"],
  declined: ["processing", "stale"],
  linked: [],
  stale: [],
} as const satisfies Record<string, readonly string[]>;

export type LinkStatus = keyof typeof linkTransitions;

export const linkLifeMs = 30 * 60_000;
/** Refused cards that a link takes; then a new one is needed. */
export const mostDeclines = 3;
/** Of a customer, on a day in Lagos. */
export const mostLinksPerDay = 10;
export const mostDeclinesPerDay = 6;

export const linkResource = "card_link";

export interface CardLink {
  readonly id: string;
  readonly customerId: string;
  /** The customer's phone when it was made, to which the card will belong. */
  readonly phone: string;
  /** Where the page sends the customer when it is done. */
  readonly callbackUrl: string | null;
  /** The processor's account that the card will be with; null for the simulated network. */
  readonly connectionId: string | null;
  readonly status: LinkStatus;
  readonly version: number;
  /** The holder was sent to the processor's own page, and nobody knows yet what became of it. */
  readonly atProcessor: boolean;
  /** The try under way, or the last one. */
  readonly attemptId: string | null;
  readonly queries: number;
  /** Cards that were refused with it. */
  readonly declines: number;
  readonly cardId: string | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** As a person sees it: what can still be used but came too late is expired. */
export function shownStatus({ status, atProcessor, expiresAt }: CardLink, now: Date): LinkStatus | "expired" {
  const usable = status === "pending" || status === "declined" || atProcessor;
  return usable && expiresAt <= now ? "expired" : status;
}
