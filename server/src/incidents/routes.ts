/** What an operator does with incidents. Anybody reads them at /status. */
import { type Static, Type } from "typebox";
import { findNamedMerchant } from "../merchants/read-merchants.ts";
import type { Tx } from "../platform/database/database.ts";
import { named } from "../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { IdParams, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { keysOf } from "../platform/keys-of.ts";
import { commonProblem, type FieldError, type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";
import { originOf, recordAudit } from "../platform/records/audit.ts";
import { pageOf, pageQuery, paginationOf } from "../platform/records/pagination.ts";
import { redactText } from "../platform/redact.ts";
import { type Incident, incidentConditions, incidentSources, incidentStates, shownDays } from "./incident.ts";
import {
  countIncidents,
  findIncident,
  insertIncident,
  insertUpdate,
  listIncidents,
  lockIncident,
  withdrawIncident,
} from "./incident-store.ts";
import { partNames } from "./part.ts";

/** Incidents on the wire. */
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

const tag = "Operator";

export function incidentRoutes(): Route[] {
  return [openRoute(), listRoute(), showRoute(), updateRoute(), withdrawRoute()];
}

function openRoute(): Route {
  return describeRoute("operator", {
    method: "POST",
    path: "/operator/incidents",
    operationId: "openIncident",
    tag,
    summary: "Tell everybody about an incident",
    description:
      "It stands on the page /status at once. What the system sees by itself (a rail that takes no orders, work that waits too long) has its incident without this.",
    body: openBody,
    reply: { status: 201, message: "Incident opened.", data: incidentData },
    handle: (request) =>
      request.write(async (tx) => {
        const { condition, parts } = request.body;
        const [title, message] = [request.body.title.trim(), request.body.message.trim()];
        await refuseTellingWords(tx, { title, message });
        const startedAt = readStart(request.body.startedAt, tx.environment.clock.now());
        const id = await insertIncident(tx, { title, condition, parts, startedAt });
        await insertUpdate(tx, id, { state: "investigating", message, writtenBy: request.operator.name });
        await recordAudit(tx, originOf(request), {
          action: "incident.open",
          subjectType: "incident",
          subjectId: id,
          detail: { title, condition, parts },
        });
        return { data: await present(tx, id) };
      }),
  });
}

function readStart(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null;
  const start = new Date(text);
  const age = now.getTime() - start.getTime();
  if (age >= 0 && age <= shownDays * 86_400_000) return start;
  const message = `must be within the last ${shownDays} days`;
  throw commonProblem("validation_failed", { errors: [{ field: "startedAt", message }] });
}

async function present(tx: Tx, id: string) {
  const found = await findIncident(tx, id);
  if (found === undefined) throw incidentProblem("incident_not_found");
  return presentIncident(found);
}

function listRoute(): Route {
  return describeRoute("operator", {
    method: "GET",
    path: "/operator/incidents",
    operationId: "listIncidents",
    tag,
    summary: "List incidents",
    description: "Newest first, also those that were withdrawn.",
    query: listQuery,
    reply: { status: 200, message: "Incidents retrieved.", data: Type.Array(incidentData), paged: true },
    handle: ({ query, read }) =>
      read(async (tx) => {
        const { page, limit } = pageOf(query);
        const filter = { state: query.state };
        const total = await countIncidents(tx, filter);
        const skip = BigInt(page - 1) * BigInt(limit);
        const rows = skip >= total ? [] : await listIncidents(tx, filter, { skip, limit });
        return { data: rows.map(presentIncident), pagination: paginationOf(total, page, limit) };
      }),
  });
}

function showRoute(): Route {
  return describeRoute("operator", {
    method: "GET",
    path: "/operator/incidents/{id}",
    operationId: "getIncident",
    tag,
    summary: "Read an incident",
    description: "With all that was said about it.",
    params: IdParams,
    reply: { status: 200, message: "Incident retrieved.", data: incidentData },
    problems: ["incident_not_found"],
    handle: ({ params, read }) => read(async (tx) => ({ data: await present(tx, params.id) })),
  });
}

function updateRoute(): Route {
  return describeRoute("operator", {
    method: "POST",
    path: "/operator/incidents/{id}/updates",
    operationId: "updateIncident",
    tag,
    summary: "Say what is new about an incident",
    description: "The words stand on the page /status at once, with the time. resolved ends the incident.",
    params: IdParams,
    body: updateBody,
    reply: { status: 200, message: "Incident updated.", data: incidentData },
    problems: ["incident_not_found", "incident_ends_by_itself", "invalid_state"],
    handle: (request) =>
      request.write(async (tx) => {
        const { id } = request.params;
        const { state } = request.body;
        const message = request.body.message.trim();
        await refuseTellingWords(tx, { message });
        const found = await lockIncident(tx, id);
        if (found === undefined) throw incidentProblem("incident_not_found");
        if (found.state === "resolved") throw commonProblem("invalid_state", { data: { status: found.state } });
        if (state === "resolved" && found.source === "system") throw incidentProblem("incident_ends_by_itself");
        await insertUpdate(tx, id, { state, message, writtenBy: request.operator.name });
        await recordAudit(tx, originOf(request), {
          action: "incident.update",
          subjectType: "incident",
          subjectId: id,
          detail: { state, message },
        });
        return { data: await present(tx, id) };
      }),
  });
}

function withdrawRoute(): Route {
  return describeRoute("operator", {
    method: "POST",
    path: "/operator/incidents/{id}/withdraw",
    operationId: "withdrawIncident",
    tag,
    summary: "Take an incident off the public page",
    description: "For what should not have been told. It stays in this list.",
    params: IdParams,
    reply: { status: 200, message: "Incident withdrawn.", data: incidentData },
    problems: ["incident_not_found"],
    handle: (request) =>
      request.write(async (tx) => {
        const { id } = request.params;
        if ((await lockIncident(tx, id)) === undefined) throw incidentProblem("incident_not_found");
        await withdrawIncident(tx, id);
        await recordAudit(tx, originOf(request), {
          action: "incident.withdraw",
          subjectType: "incident",
          subjectId: id,
        });
        return { data: await present(tx, id) };
      }),
  });
}

/** What an operator writes here is read by anybody, so secrets, numbers of people and merchants' names stay out of it. */

/** An account, a telephone, a BVN, a card. */
const longNumber = /\d(?:[ -]?\d){9,}/;

export async function refuseTellingWords(tx: Tx, fields: Readonly<Record<string, string>>): Promise<void> {
  const errors: FieldError[] = [];
  for (const [field, text] of Object.entries(fields)) {
    if (redactText(text) !== text || longNumber.test(text)) {
      errors.push({ field, message: "must have no secret and no number of a person: anybody reads it" });
    }
    const merchant = await findNamedMerchant(tx, text);
    if (merchant !== undefined) {
      errors.push({ field, message: `must not name a merchant (${merchant}): anybody reads it` });
    }
  }
  if (errors.length > 0) throw commonProblem("validation_failed", { errors });
}

export const incidentProblems = {
  incident_not_found: { status: 404, cause: "No incident has this id." },
  incident_ends_by_itself: {
    status: 409,
    cause: "The system sees this one by itself and ends it when it is over.",
    cure: "Add words without resolving it.",
  },
} as const satisfies ProblemCatalogue;

const incidentProblem = problemsFrom(incidentProblems);
