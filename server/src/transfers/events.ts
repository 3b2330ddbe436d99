import type { EventCatalogue } from "../platform/records/event-catalogue.ts";
import { batchData } from "./batch-schemas.ts";
import { transferData } from "./schemas.ts";

const readAt = "/transfers/{id}";

export const transferEvents = {
  "transfer.completed": { description: "The bank has paid the recipient.", data: transferData, readAt },
  "transfer.failed": {
    description: "The payout was refused; amount and fees are back in the wallet.",
    data: transferData,
    readAt,
  },
  "transfer.reversed": {
    description: "The bank took a completed payout back; amount and fees are back in the wallet.",
    data: transferData,
    readAt,
  },
  "transfer.batch.completed": {
    description: "Every payout of a batch has reached its final state.",
    data: batchData,
    readAt: "/transfers/bulk/{batchId}",
  },
} as const satisfies EventCatalogue;
