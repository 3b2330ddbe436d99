/**
 * A gift card that a merchant buys for a customer. The price is held when it is accepted, and paid when the vendor has
 * issued the card. This slice is an example: CONTRIBUTING.md walks through it, and slices.test.ts drives it.
 *
 *   pending ──▶ processing ──▶ delivered
 *                   └────────▶ failed
 */
import type { Kobo } from "../../src/money/kobo.ts";

export const giftCardTransitions = {
  pending: ["processing"],
  processing: ["delivered", "failed"],
  delivered: [],
  failed: [],
} as const satisfies Record<string, readonly string[]>;

export type GiftCardStatus = keyof typeof giftCardTransitions;

export function canMove(from: GiftCardStatus, to: GiftCardStatus): boolean {
  return (giftCardTransitions[from] as readonly string[]).includes(to);
}

export interface GiftCard {
  readonly id: string;
  readonly reference: string;
  readonly sourceAccountId: string;
  readonly brand: string;
  readonly amount: Kobo;
  readonly status: GiftCardStatus;
  readonly version: number;
  readonly failureCode: string | null;
  readonly createdAt: Date;
}

/** In which the references of gift cards are claimed, and their list. */
export const giftCardList = "gift_cards";
export const giftCardResource = "gift_card";
/** What the vendor has taken from us. */
export const settlementAccount = "gift_cards_settlement";
