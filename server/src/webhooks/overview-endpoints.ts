/** What webhooks have to tell in an overview: endpoints that do not take what is sent to them. */
import { Type } from "typebox";
import { named } from "../platform/http/named-schema.ts";
import { Nullable, Timestamp, Uuid } from "../platform/http/wire.ts";
import type { Attention, OverviewSource } from "../platform/records/overview.ts";
import { disabledReasons } from "./endpoint.ts";
import { type EndpointState, mostCounted, readEndpointStates } from "./overview-store.ts";

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
    return told("webhook_failing", `Webhooks to ${url} do not get through; we go on trying.`, failingSince);
  }
  // A merchant that disabled an endpoint itself knows.
  if (enabled || disabledReason === "merchant" || disabledReason === null) return [];
  const why = disabledReasons[disabledReason];
  return told("webhook_disabled", `The webhook endpoint ${url} is disabled. ${why} Mend it and enable it.`, updatedAt);
}
