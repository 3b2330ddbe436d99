import type { EventCatalogue } from "../../platform/records/event-catalogue.ts";
import { billData } from "./schemas.ts";

const readAt = "/bills/{id}";

export const billEvents = {
  "bill.successful": {
    description: "The biller has delivered; the commission is in the wallet.",
    data: billData,
    readAt,
  },
  "bill.failed": {
    description: "The biller has definitely not delivered; amount and fee are back in the wallet.",
    data: billData,
    readAt,
  },
  "bill.reversed": {
    description: "The biller has taken back what it had delivered; the money is back, the commission taken back.",
    data: billData,
    readAt,
  },
} as const satisfies EventCatalogue;
