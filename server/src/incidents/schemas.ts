/** Incidents on the wire. */
import { type Static, Type } from "typebox";
import { named } from "../platform/http/named-schema.ts";
import { Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { keysOf } from "../platform/keys-of.ts";
import { pageQuery } from "../platform/records/pagination.ts";
import { type Incident, incidentConditions, incidentSources, incidentStates } from "./incident.ts";
import { partNames } from "./part.ts";

const state = OneOf(incidentStates, { examples: ["identified"] });
const condition = OneOf(incidentConditions, { examples: ["slow"] });
const parts = Type.Array(OneOf(keysOf(partNames)), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description: "What is affected.",
  examples: [["bank"]],
});
const title = Type.String({
  minLength: 1,
  maxLength: 120,
  pattern: "\\S",
  description: "Anybody reads it: no secrets, no numbers of people, no merchant's name.",
  examples: ["Payouts to some banks are slow"],
});
const message = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: "\\S",
  description: "What is known and what is done. Anybody reads it.",
  examples: ["Our provider has a fault. Payouts are accepted and go out as soon as it is mended."],
});

export const openBody = named(
  "NewIncident",
  Type.Object({
    title,
    message,
    condition,
    parts,
    startedAt: Type.Optional(
      Type.String({ format: "date-time", description: "Within the last 30 days. Now, unless it is told." }),
    ),
  }),
);

export const updateBody = named(
  "NewIncidentUpdate",
  Type.Object({ state: OneOf(incidentStates, { description: "resolved ends it." }), message }),
);

export const listQuery = Type.Object({
  ...pageQuery.properties,
  state: Type.Optional(OneOf(["open", "resolved"], { examples: ["open"] })),
});

export const incidentData = named(
  "Incident",
  Type.Object({
    id: Uuid,
    source: OneOf(incidentSources, {
      description: "system: a worker saw it, and ends it. operator: a person wrote it.",
      examples: ["operator"],
    }),
    title,
    condition,
    parts,
    state,
    startedAt: Timestamp,
    endedAt: Nullable(Timestamp),
    withdrawnAt: Nullable(Timestamp),
    updates: Type.Array(Type.Object({ state, message, writtenBy: Type.String(), writtenAt: Timestamp }), {
      description: "Newest first.",
    }),
    createdAt: Timestamp,
  }),
);

export function presentIncident(incident: Incident): Static<typeof incidentData> {
  return {
    ...incident,
    parts: [...incident.parts],
    startedAt: incident.startedAt.toISOString(),
    endedAt: incident.endedAt?.toISOString() ?? null,
    withdrawnAt: incident.withdrawnAt?.toISOString() ?? null,
    createdAt: incident.createdAt.toISOString(),
    updates: incident.updates.map((one) => ({ ...one, writtenAt: one.writtenAt.toISOString() })),
  };
}
