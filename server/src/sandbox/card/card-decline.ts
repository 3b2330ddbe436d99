import type { CardRefusal } from "../../rails/card.ts";

/** Why the simulated network says no: the networks' own response codes where they have one, and a word where not. */
const sentences = {
  "05": "The bank declined this card. Use another card.",
  "14": "This card is not linked any more. Link it again.",
  "51": "There is not enough money on this card.",
  "54": "This card has expired. Use another card.",
  holder_refused: "You did not confirm this payment with your bank.",
  invalid_token: "The card's details were not entered in time, or were used before. Enter them again.",
  charge_not_found: "There is no paid charge with this id.",
  refund_refused: "The bank refused to take the money back.",
  refund_exceeds_charge: "More would be refunded than was charged.",
} as const satisfies Readonly<Record<string, string>>;

export type DeclineCode = keyof typeof sentences;

export function declined(code: DeclineCode): CardRefusal {
  return { outcome: "declined", code, message: sentences[code] };
}
