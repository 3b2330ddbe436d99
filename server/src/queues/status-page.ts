/** `/status`, for anybody: a page for a person, JSON for a program. Read at most once in five seconds, whoever asks. */
import type { FastifyInstance } from "fastify";
import type { Incident } from "../incidents/incident.ts";
import { listShownIncidents } from "../incidents/list-shown.ts";
import { partNames } from "../incidents/part.ts";
import { rememberFor } from "../platform/remember.ts";
import { type HouseDependencies, readHouse } from "./read-house.ts";
import { readStatus, type Status, type StatusLine } from "./status.ts";
import { contentSecurityPolicy, pageOf } from "./status-view.ts";

const freshMs = 5_000;
const headers = {
  "content-security-policy": contentSecurityPolicy,
  "cache-control": "public, max-age=5",
  "x-content-type-options": "nosniff",
  vary: "accept",
} as const;

export function registerStatusPage(app: FastifyInstance, deps: HouseDependencies): void {
  const read = rememberFor(freshMs, async () => {
    const house = await readHouse(deps);
    return readStatus({ ...house, incidents: await listShownIncidents(deps.db) });
  });
  app.get("/status", async (request, reply) => {
    const status = await read();
    const wantsPage = (request.headers.accept ?? "").includes("text/html");
    reply.headers(headers);
    return wantsPage
      ? reply.type("text/html; charset=utf-8").send(pageOf(status))
      : reply.type("application/json; charset=utf-8").send(JSON.stringify(presentStatus(status)));
  });
}

function presentStatus({ condition, rails, work, incidents, at }: Status) {
  const present = ({ name, condition: its, since }: StatusLine) => ({
    name,
    condition: its,
    since: since?.toISOString() ?? null,
  });
  return {
    condition,
    rails: rails.map(present),
    work: work.map(present),
    incidents: incidents.map(presentIncident),
    at: at.toISOString(),
  };
}

/** Who wrote it is the operator's business. */
function presentIncident({ id, title, condition, parts, state, startedAt, endedAt, updates }: Incident) {
  return {
    id,
    title,
    condition,
    parts: parts.map((part) => partNames[part]),
    state,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    updates: updates.map(({ state: then, message, writtenAt }) => ({
      state: then,
      message,
      at: writtenAt.toISOString(),
    })),
  };
}
