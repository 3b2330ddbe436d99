/**
 * The port to the card networks. An adapter (a processor's interface, the sandbox's simulation) implements it; nobody
 * else knows which one is behind it. Every call has a time-out and no call is made inside a database transaction.
 *
 * A card's number never comes this way. Either the hosted card page sends it straight to the processor's vault, at
 * `tokenizePath`, and gets a token that is good for one link; or the processor has a page of its own (`startLink`), and
 * the holder comes back from it. The link gives a token that can be charged, and that is all we ever hold besides what
 * is printed on a receipt: brand, last four digits, expiry and bank.
 *
 * An answer is one of three: it definitely happened, it definitely did not and never will under this id, or nobody
 * knows yet. Unknown is not declined: it is asked again under the same id (`ask-again.ts`) for as long as it takes. An
 * adapter that gets an HTTP error after the order may have left answers unknown.
 */
import type { Kobo } from "../money/kobo.ts";
import type { NoRecord, RailTrace, TakenBack, Unknown } from "./answer.ts";

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
  /** Whose name the bank has for it, where the network tells. Never a name that we gave to the network. */
  readonly holder?: string;
}

/** A definite no, with the network's or the processor's code and a sentence for the holder of the card. */
export interface CardRefusal {
  readonly outcome: "declined";
  readonly code: string;
  readonly message: string;
  /** Something that people must look at. */
  readonly alarm?: string;
}

/** A card that was not linked. */
export interface CardLinkRefusal extends CardRefusal {
  /** As of a linked card, where the network tells it of a refused one: who guesses at one card is counted by it. */
  readonly fingerprint?: string;
}

/**
 * The issuer wants the holder to confirm the charge on a page. Nothing was charged, and nobody knows yet whether it
 * will be: the charge is asked about like an unknown one.
 */
export interface NeedsHolder {
  readonly outcome: "needs_holder";
  readonly url: string;
  readonly trace?: RailTrace;
}

/** Nobody typed a card in on the processor's page, and nobody can any more. Nothing was taken. */
export interface PageLeft {
  readonly outcome: "left";
}

export type CardLinkAnswer =
  | { readonly outcome: "linked"; readonly card: LinkedCard; readonly alarm?: string }
  | CardLinkRefusal
  | PageLeft
  | Unknown;
export type CardLinkStartAnswer = { readonly outcome: "started"; readonly redirectUrl: string } | CardRefusal | Unknown;
export type CardChargeAnswer =
  | { readonly outcome: "success"; readonly trace?: RailTrace }
  | CardRefusal
  | NeedsHolder
  | Unknown;
export type CardQueryAnswer = CardChargeAnswer | TakenBack | NoRecord;
export type CardRefundAnswer = { readonly outcome: "success"; readonly trace?: RailTrace } | CardRefusal | Unknown;
export type CardRefundQueryAnswer = CardRefundAnswer | NoRecord;
export type CardUnlinkAnswer = { readonly outcome: "unlinked" } | Unknown;

export interface CardLinkOrder {
  readonly environmentId: string;
  /**
   * Ours, committed before the call. One id is one attempt: its first answer stays, whatever token comes with it
   * later. To try another card after a refusal is another link.
   */
  readonly linkId: string;
  readonly customerId: string;
  /** From the vault, good for one link and for a short time. Null where the holder typed the card on another page. */
  readonly cardToken: string | null;
}

/** Sends a holder to the page of the processor. The same link id again is the same page. */
export interface CardLinkStart {
  readonly environmentId: string;
  readonly linkId: string;
  readonly customerId: string;
  /** By which the processor knows the holder; charges are made with the one that the card was linked with. */
  readonly email: string;
  /** Where the holder comes back to, whatever happened there. */
  readonly returnUrl: string;
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
  /** As ordered: a record of another amount is not ours. */
  readonly amount: Kobo;
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
  /** Where the card page sends the number of this holder's card. Null where the processor has a page of its own. */
  tokenizePath(holder: { readonly email: string }): string | null;
  /** Only where `tokenizePath` is null. */
  startLink?(start: CardLinkStart): Promise<CardLinkStartAnswer>;
  link(order: CardLinkOrder): Promise<CardLinkAnswer>;
  charge(order: CardChargeOrder): Promise<CardChargeAnswer>;
  query(question: CardQuestion): Promise<CardQueryAnswer>;
  refund(order: CardRefundOrder): Promise<CardRefundAnswer>;
  /** What became of a refund. A refund may take days. */
  queryRefund(order: CardRefundOrder): Promise<CardRefundQueryAnswer>;
  /** Forgets a token. To unlink what is not linked any more changes nothing. */
  unlink(card: { readonly environmentId: string; readonly token: string }): Promise<CardUnlinkAnswer>;
}
