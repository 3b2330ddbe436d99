import type { ShownCard } from "../pages/schemas.ts";
import type { Card } from "./card.ts";

/** A card as the pages name it. */
export function showCard(card: Card | undefined): ShownCard | null {
  if (card === undefined) return null;
  const { brand, last4, expMonth, expYear } = card;
  return { brand, last4, expMonth, expYear };
}
