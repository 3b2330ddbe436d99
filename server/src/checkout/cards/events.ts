import type { EventCatalogue } from "../../platform/records/event-catalogue.ts";
import { linkEventData } from "./schemas.ts";

export const cardEvents = {
  "customer.card.link.successful": {
    data: linkEventData,
    description: "A customer has linked a card. Loans that waited for one go on.",
  },
  "customer.card.link.failed": {
    data: linkEventData,
    description: "The card network refused the card that a customer wanted to link; another can be tried.",
  },
} as const satisfies EventCatalogue;
