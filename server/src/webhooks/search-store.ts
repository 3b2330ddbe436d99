/** What can be found of events and endpoints. */
import { sql } from "kysely";
import type { SearchedKind } from "../platform/records/search.ts";

export const searchedWebhooks: readonly SearchedKind[] = [
  {
    kind: "event",
    table: "events",
    scope: "events:read",
    path: "/events/{id}",
    only: sql`t.list_position is not null`,
    title: sql`t.event`,
    details: sql`array[t.resource_type, t.resource_id::text]`,
  },
  {
    kind: "webhook_endpoint",
    table: "webhook_endpoints",
    scope: "webhooks:read",
    path: "/webhooks/endpoints/{id}",
    only: sql`t.deleted_at is null`,
    title: sql`t.url`,
    details: sql`array[t.description]`,
    status: sql`case when t.enabled then 'enabled' else 'disabled' end`,
    newestBy: "id",
    text: sql`concat_ws(' ', t.url, t.description)`,
  },
];
