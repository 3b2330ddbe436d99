/** Cards and their links as the API shows them. */

import { type Static, Type } from "typebox";
import { named } from "../../platform/http/named-schema.ts";
import { Nullable, OneOf, PathId, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { cardBrands } from "../../rails/card.ts";

export const CustomerParams = Type.Object({ customerId: PathId });
export const CardParams = Type.Object({ customerId: PathId, cardId: PathId });
export const LinkParams = Type.Object({ linkId: PathId });

export const linkBody = Type.Object({
  callback_url: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description:
        "Where the page sends the customer afterwards, with link_id and status in the query. https; in a sandbox also http on localhost. The query proves nothing: wait for the event, or read the customer's cards.",
      examples: ["https://shop.example.com/cards/done"],
    }),
  ),
});

export const linkData = named(
  "CardLink",
  Type.Object({
    link_id: Uuid,
    url: Type.String({
      description: "The hosted card page. Anybody who has this address can link a card to the customer.",
      examples: ["https://api.example.com/card-links/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11#K3v…"],
    }),
    expires_at: Timestamp,
  }),
);

export const cardData = named(
  "Card",
  Type.Object({
    id: Uuid,
    brand: OneOf(cardBrands),
    last4: Type.String({ pattern: "^[0-9]{4}$", examples: ["4081"] }),
    exp_month: Type.Integer({ minimum: 1, maximum: 12, examples: [12] }),
    exp_year: Type.Integer({ examples: [2029] }),
    bank: Nullable(Type.String({ examples: ["Test Bank"] })),
    is_default: Type.Boolean({ description: "Due instalments are charged to this card." }),
  }),
);

export const removedCard = Type.Object({ id: Uuid, deleted: Type.Literal(true) });

export const reasonData = Type.Object({
  code: Type.String({ examples: ["05"] }),
  message: Type.String({ examples: ["The bank declined the card."] }),
});

/** What the events about card links carry. */
export const linkEventData = named(
  "CardLinkOutcome",
  Type.Object({
    customer_id: Uuid,
    link_id: Uuid,
    card: Nullable(cardData),
    reason: Nullable(reasonData),
  }),
);

export const completeBody = Type.Object({
  outcome: OneOf(["linked", "declined", "declines_later", "asks_holder", "refunds_slowly"], {
    description:
      "The outcome. `declines_later` links a card whose charges are declined, `asks_holder` one whose charges wait until they are confirmed, `refunds_slowly` one whose refunds stay in processing.",
  }),
});

/** Of the general family. */
export const completedLink = named(
  "CompletedCardLink",
  Type.Object({
    linkId: Uuid,
    customerId: Uuid,
    status: OneOf(["pending", "processing", "linked", "declined", "expired", "stale"], { examples: ["linked"] }),
    card: Nullable(
      Type.Object({
        id: Uuid,
        brand: OneOf(cardBrands),
        last4: Type.String({ examples: ["4081"] }),
        expMonth: Type.Integer({ examples: [12] }),
        expYear: Type.Integer({ examples: [2029] }),
        bank: Nullable(Type.String({ examples: ["Test Bank"] })),
        isDefault: Type.Boolean(),
      }),
    ),
    reason: Nullable(reasonData),
  }),
);

export type CompletedLink = Static<typeof completedLink>;
