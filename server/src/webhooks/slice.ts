import type { EventCatalogue } from "../platform/records/event-catalogue.ts";
import type { Slice } from "../platform/slice-description.ts";
import { type EndpointRouteDependencies, endpointRoutes } from "./endpoints/endpoint-routes.ts";
import { endpointData } from "./endpoints/endpoint-schemas.ts";
import { webhookProblems } from "./endpoints/errors.ts";
import type { WebhookReach } from "./endpoints/reachable-address.ts";
import { eventProblems } from "./log/event-errors.ts";
import { type EventRouteDependencies, eventRoutes } from "./log/event-routes.ts";
import { endpointOverview } from "./overview-endpoints.ts";
import { searchedWebhooks } from "./search-store.ts";
import { webhookSweepSources, webhookTaskKinds, webhookTasks } from "./sending/retry-webhooks.job.ts";
import { createWebhookSender, type WebhookSenderDependencies } from "./sending/send-webhooks.job.ts";
import { createWebhookClient } from "./sending/webhook-client.ts";
import { eventTrace } from "./trace-events.ts";

const webhookEvents = {
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

const moments = "timestamp with time zone[]";
const arrivalColumns = ["uuid[]", "uuid[]", "uuid[]", "uuid[]", moments, moments, "integer[]", "integer[]", "text[]"];

interface Reaching {
  /** Blocks of addresses that the operator opened to webhooks. */
  readonly webhookReach: WebhookReach;
}

export const webhookSlice: Slice<
  Omit<EndpointRouteDependencies, "reach"> & EventRouteDependencies & Reaching,
  Omit<WebhookSenderDependencies, "client"> & Reaching
> = {
  sections: [
    { name: "Webhooks", description: "Where events are sent, and what they look like when they arrive." },
    { name: "Events", description: "The log of everything that happened: read it, follow it, have it sent again." },
  ],
  scopes: ["webhooks", "events"],
  queues: { deliveries: { says: "Webhooks that are due", slowSeconds: 60 } },
  problems: { ...webhookProblems, ...eventProblems },
  events: webhookEvents,
  sealedColumns: [
    { table: "webhook_endpoints", column: "sealed_secret", key: "id" },
    { table: "webhook_endpoints", column: "sealed_previous_secret", key: "id" },
  ],
  lookupFunctions: {
    "read_feed_totals(uuid[])": "One question serves everybody who waits at the feed of a process.",
    "claim_due_deliveries(integer,integer,integer,integer,jsonb,uuid,uuid,uuid,uuid)":
      "A worker takes up the deliveries of all environments, each endpoint in its turn.",
    [`record_webhook_arrivals(${arrivalColumns.join(",")})`]:
      "What arrived is written down for all environments at once.",
    "find_waiting_webhook_deliveries(uuid,uuid,uuid,integer)":
      "The sweeper looks for deliveries of any environment that nothing will move.",
  },
  traces: [eventTrace],
  searched: searchedWebhooks,
  overviews: [endpointOverview],
  taskKinds: webhookTaskKinds,
  sweepSources: webhookSweepSources,
  routes: (needs) => [...endpointRoutes({ ...needs, reach: needs.webhookReach }), ...eventRoutes(needs)],
  tasks: ({ db }) => webhookTasks(db),
  loops: (needs) => {
    const client = createWebhookClient({ reach: needs.webhookReach });
    const { round, drain, close } = createWebhookSender({ ...needs, client });
    return [{ name: "webhook sender", step: round, drain, close }];
  },
};
