/**
 * The port to the card networks. An adapter (a processor's interface, the sandbox's simulation) implements it; nobody
 * else knows which one is behind it. Every call has a time-out and no call is made inside a database transaction.
 *
 * A card's number never comes this way. The hosted card page sends it straight to the processor's vault, at
 * `tokenizePath`, and gets a token that is good for one link. The link turns it into a token that can be charged, and
 * that is all we ever hold besides what is printed on a receipt: brand, last four digits, expiry and bank.
 *
 * An answer is one of three: it definitely happened, it definitely did not and never will under this id, or nobody
 * knows yet. Unknown is not declined: it is asked again under the same id (`ask-again.ts`) for as long as it takes. An
 * adapter that gets an HTTP error after the order may have left answers unknown.
 */
import type { Kobo } from "../money/kobo.ts";

export const cardBrands = ["visa", "mastercard", "verve"] as const;
export type CardBrand = (typeof cardBrands)[number];

export interface LinkedCard {
  /** What charges are made with. A secret: it is kept sealed and shown to nobody. */
  readonly token: string;
  readonly brand: CardBrand;
  readonly last4: string;
  readonly expMonth: number;
  /** Four digits. */
  readonly expYear: number;
  /** Who issued it, where the network tells. */
  readonly bank: string | null;
  /** The same for one card, for every customer and merchant; null where the network does not tell. */
  readonly fingerprint: string | null;
}

/** A definite no, with the network's or the processor's code and a sentence for the holder of the card. */
export interface CardRefusal {
  readonly outcome: "declined";
  readonly code: string;
  readonly message: string;
}

/** A card that was not linked. */
export interface CardLinkRefusal extends CardRefusal {
  /** As of a linked card, where the network tells it of a refused one: who guesses at one card is counted by it. */
  readonly fingerprint?: string;
}

/** No answer, or one that does not settle the matter. */
export interface CardUnknown {
  readonly outcome: "unknown";
}

export type CardLinkAnswer = { readonly outcome: "linked"; readonly card: LinkedCard } | CardLinkRefusal | CardUnknown;
export type CardChargeAnswer = { readonly outcome: "success" } | CardRefusal | CardUnknown;
export type CardQueryAnswer = CardChargeAnswer | { readonly outcome: "no_record" };
export type CardRefundAnswer = { readonly outcome: "success" } | CardRefusal | CardUnknown;
export type CardUnlinkAnswer = { readonly outcome: "unlinked" } | CardUnknown;

export interface CardLinkOrder {
  readonly environmentId: string;
  /**
   * Ours, committed before the call. One id is one attempt: its first answer stays, whatever token comes with it
   * later. To try another card after a refusal is another link.
   */
  readonly linkId: string;
  readonly customerId: string;
  /** From the vault, good for one link and for a short time. */
  readonly cardToken: string;
}

export interface CardChargeOrder {
  readonly environmentId: string;
  /** Ours, committed before the call; the network knows the charge by it, and so do we after a crash. */
  readonly chargeId: string;
  readonly token: string;
  readonly amount: Kobo;
  /** What the holder reads on the statement. */
  readonly narration: string;
}

export interface CardQuestion {
  readonly environmentId: string;
  readonly chargeId: string;
}

export interface CardRefundOrder {
  readonly environmentId: string;
  /** Ours, committed before the call. A refund under the same id is the same refund, so an unknown one is sent again. */
  readonly refundId: string;
  readonly chargeId: string;
  readonly amount: Kobo;
}

export interface CardRail {
  readonly name: string;
  /**
   * Whether a second order under the same charge id is recognised as the same charge. If so, a charge that the network
   * has no record of may be ordered again once it is older than the settle window; if not, an operator decides.
   */
  readonly deduplicatesByCharge: boolean;
  readonly settleWindowMs: number;
  /** Where the card page sends the number: a path of our own origin in a sandbox, the processor's address in LIVE. */
  readonly tokenizePath: string;
  link(order: CardLinkOrder): Promise<CardLinkAnswer>;
  charge(order: CardChargeOrder): Promise<CardChargeAnswer>;
  query(question: CardQuestion): Promise<CardQueryAnswer>;
  refund(order: CardRefundOrder): Promise<CardRefundAnswer>;
  /** Forgets a token. To unlink what is not linked any more changes nothing. */
  unlink(card: { readonly environmentId: string; readonly token: string }): Promise<CardUnlinkAnswer>;
}
