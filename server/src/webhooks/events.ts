import type { EventCatalogue } from "../platform/records/event-catalogue.ts";
import { endpointData } from "./endpoint-schemas.ts";

export const webhookEvents = {
  "webhook.test": {
    description: "You asked for a test. It is sent to that one endpoint only.",
    data: endpointData,
    readAt: "/webhooks/endpoints/{id}",
  },
  "webhook.endpoint.disabled": {
    description:
      "An endpoint returned 410, or failed every time for five days. Nothing more is sent to it until you enable it.",
    data: endpointData,
    readAt: "/webhooks/endpoints/{id}",
  },
} as const satisfies EventCatalogue;
