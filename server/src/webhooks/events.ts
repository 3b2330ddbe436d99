import type { EventCatalogue } from "../platform/records/event-catalogue.ts";
import { endpointData } from "./endpoint-schemas.ts";

export const webhookEvents = {
  "webhook.test": {
    description: "You asked for a test; it goes to the endpoint that it is about, and to no other.",
    data: endpointData,
    readAt: "/webhooks/endpoints/{id}",
  },
  "webhook.endpoint.disabled": {
    description:
      "An endpoint answered 410, or only failed for five days, and is sent nothing more until you enable it.",
    data: endpointData,
    readAt: "/webhooks/endpoints/{id}",
  },
} as const satisfies EventCatalogue;
