/**
 * A card that a customer has linked. We hold what is printed on a receipt (brand, last four digits, expiry, bank) and,
 * sealed, the token that the card network charges; its number was never here. The card linked last is the default, to
 * which due instalments are charged; which one it is stands with the customer.
 */
import type { CardBrand } from "../../rails/card.ts";

export interface Card {
  readonly id: string;
  readonly customerId: string;
  readonly brand: CardBrand;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly bank: string | null;
  readonly isDefault: boolean;
  /** The processor's account that has it; null for the simulated network. */
  readonly connectionId: string | null;
  readonly createdAt: Date;
}

/** A card as the API and its events show it. */
export interface PresentedCard {
  readonly id: string;
  readonly brand: CardBrand;
  readonly last4: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly bank: string | null;
  readonly is_default: boolean;
}

export function presentCard(card: Card): PresentedCard {
  return {
    id: card.id,
    brand: card.brand,
    last4: card.last4,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    bank: card.bank,
    is_default: card.isDefault,
  };
}
