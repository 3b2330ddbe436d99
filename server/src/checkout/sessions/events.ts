import type { EventCatalogue } from "../../platform/records/event-catalogue.ts";
import { sessionData } from "./schemas.ts";

const record = { data: sessionData, readAt: "/loans/bnpl/checkout-sessions/{id}" } as const;

export const sessionEvents = {
  "checkout.session.completed": {
    ...record,
    description: "The customer's loan is paid out: the order is paid and can be delivered.",
  },
  "checkout.session.expired": { ...record, description: "The customer did not finish in time; nothing was bought." },
} as const satisfies EventCatalogue;
