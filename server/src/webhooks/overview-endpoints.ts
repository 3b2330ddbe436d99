/** What webhooks have to tell in an overview: endpoints that do not take what is sent to them. */

import { sql } from "kysely";
import { Type } from "typebox";
import type { Tx } from "../platform/database/database.ts";
import { named } from "../platform/http/named-schema.ts";
import { Nullable, Timestamp, Uuid } from "../platform/http/wire.ts";
import type { Attention, OverviewSource } from "../platform/records/overview.ts";
import { type DisabledReason, disabledReasons, mostEndpoints } from "./endpoints/endpoint.ts";

interface EndpointState {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly failingSince: Date | null;
  readonly updatedAt: Date;
  readonly waiting: number;
}

/** Deliveries are counted up to here. */
const mostCounted = 1_000;

async function readEndpointStates(tx: Tx): Promise<EndpointState[]> {
  const found = await sql<EndpointState>`
    select e.id, e.url, e.enabled, e.disabled_reason as "disabledReason", e.failing_since as "failingSince",
      e.updated_at as "updatedAt", w.waiting
    from webhook_endpoints e
    cross join lateral (
      select count(*)::integer as waiting from (
        select 1 from webhook_deliveries d
        where d.environment_id = e.environment_id and d.endpoint_id = e.id and d.status = 'pending'
        limit ${mostCounted}) d) w
    where e.environment_id = ${tx.environment.id} and e.deleted_at is null
    order by e.id limit ${mostEndpoints}`.execute(tx);
  return found.rows;
}

const endpointFigures = named(
  "EndpointFigures",
  Type.Array(
    Type.Object({
      id: Uuid,
      url: Type.String({ examples: ["https://example.com/jara"] }),
      enabled: Type.Boolean(),
      disabledReason: Nullable(Type.String({ description: "merchant, gone or failing.", examples: [null] })),
      failingSince: Nullable(Type.String({ ...Timestamp, examples: [null] })),
      waiting: Type.Integer({
        description: `Deliveries that are not through yet; ${mostCounted} stands for that many or more.`,
        examples: [0],
      }),
    }),
  ),
);

export const endpointOverview: OverviewSource = {
  part: { name: "webhooks", schema: endpointFigures },
  scope: "webhooks:read",
  async read(tx) {
    const states = await readEndpointStates(tx);
    return {
      figures: states.map((state) => ({ ...state, failingSince: state.failingSince?.toISOString() ?? null })),
      attention: states.flatMap(attentionOf),
    };
  },
};

function attentionOf({
  id,
  url,
  enabled,
  disabledReason,
  failingSince,
  waiting,
  updatedAt,
}: EndpointState): Attention[] {
  const told = (kind: string, title: string, since: Date): Attention[] => [
    { kind, title, count: waiting, since, amount: null, items: [{ id, title: url, since }] },
  ];
  if (enabled && failingSince !== null) {
    return told("webhook_failing", `Deliveries to ${url} are failing. Jara keeps retrying.`, failingSince);
  }
  // A merchant that disabled an endpoint itself knows.
  if (enabled || disabledReason === "merchant" || disabledReason === null) return [];
  const why = disabledReasons[disabledReason];
  return told("webhook_disabled", `The endpoint ${url} is disabled. ${why} Fix it, then enable it.`, updatedAt);
}
