import { type Static, Type } from "typebox";
import { nairaNumber } from "../../src/money/kobo.ts";
import { named } from "../../src/platform/http/named-schema.ts";
import { NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../../src/platform/http/wire.ts";
import type { EventCatalogue } from "../../src/platform/records/event-catalogue.ts";
import { type GiftCard, giftCardTransitions } from "./gift-card.ts";

export const buyBody = named(
  "NewGiftCard",
  Type.Object(
    {
      brand: Type.String({ minLength: 1, maxLength: 50, description: "Whose card it is." }),
      amount: NairaNumber,
      reference: Type.String({ minLength: 1, maxLength: 100, description: "Your own name for it, used once." }),
    },
    { examples: [{ brand: "jumia", amount: 5_000, reference: "gift-1042" }] },
  ),
);

export const giftCardData = named(
  "GiftCard",
  Type.Object({
    id: Uuid,
    reference: Type.String({ examples: ["gift-1042"] }),
    brand: Type.String({ examples: ["jumia"] }),
    amount: NairaNumber,
    status: OneOf(Object.keys(giftCardTransitions)),
    failureCode: Nullable(Type.String({ description: "Why the vendor refused." })),
    createdAt: Timestamp,
  }),
);

export function presentGiftCard(card: GiftCard): Static<typeof giftCardData> {
  const { id, reference, brand, status, failureCode } = card;
  return {
    id,
    reference,
    brand,
    status,
    failureCode,
    amount: nairaNumber(card.amount),
    createdAt: card.createdAt.toISOString(),
  };
}

const readAt = "/gift-cards/{id}";

export const giftCardEvents = {
  "gift_card.delivered": { description: "The vendor has issued the card.", data: giftCardData, readAt },
  "gift_card.failed": {
    description: "The vendor has refused; the price is back in the wallet.",
    data: giftCardData,
    readAt,
  },
} as const satisfies EventCatalogue;
