/** `/status`, for anybody: a page for a person, JSON for a program. Read at most once in five seconds, whoever asks. */

import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { type Incident, type IncidentState, type IncidentUpdate, shownDays } from "../incidents/incident.ts";
import { listShownIncidents } from "../incidents/list-shown.ts";
import { partNames } from "../incidents/part.ts";
import { escapeHtml } from "../platform/http/escape-html.ts";
import { rememberFor } from "../platform/remember.ts";
import { lagosTime } from "../platform/time/lagos-date.ts";
import { type HouseDependencies, readHouse } from "./read-house.ts";
import { type Condition, readStatus, type Status, type StatusLine } from "./status.ts";

/** The page `/status`. It has no script. */
const style = `:root{color-scheme:light dark;--ok:#0b6b3a;--slow:#8a5a00;--bad:#b3261e;
--line:#d9dee3;--soft:#56606b;--page:#fff;--ink:#12181f;--card:#f6f8f9}
@media(prefers-color-scheme:dark){:root{--ok:#6fd39a;--slow:#f0c060;--bad:#ff9a90;--line:#39424c;--soft:#a9b4bf;
--page:#0c1110;--ink:#eef2f5;--card:#151c1b}}
html{background:var(--page);color:var(--ink)}
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:40rem;padding:2rem 1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}h3{font-size:1rem;margin:0}p{margin:.25rem 0}
ul,ol{list-style:none;padding:0;margin:0}
.lines li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem;padding:.6rem 0;
border-bottom:1px solid var(--line)}.working{color:var(--ok)}.slow{color:var(--slow)}.not_working{color:var(--bad)}
.over{color:var(--soft)}small{color:var(--soft);display:block;font-size:.875rem}
article{background:var(--card);border:1px solid var(--line);border-left:4px solid;border-radius:.5rem;
padding:.75rem 1rem;margin:.75rem 0}
article>*{color:var(--ink)}article.over{border-left-color:var(--line)}
article ol{margin-top:.5rem;border-top:1px solid var(--line)}article ol li{padding-top:.5rem}
article p{white-space:pre-line}`;
const styleHash = createHash("sha256").update(style).digest("base64");
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const words: Readonly<Record<Condition, string>> = { working: "Working", slow: "Slow", not_working: "Not working" };
const headlines: Readonly<Record<Condition, string>> = {
  working: "Everything works",
  slow: "Some things are slow",
  not_working: "Something is not working",
};
const stateWords: Readonly<Record<IncidentState, string>> = {
  investigating: "We look into it",
  identified: "We know why",
  watching: "Mended, and we watch it",
  resolved: "Over",
};

export function pageOf({ condition, rails, work, incidents, at }: Status): string {
  const list = (lines: readonly StatusLine[]) => `<ul class="lines">${lines.map(itemOf).join("")}</ul>`;
  const railsText = rails.length === 0 ? "<p>Sandboxes only: no real rail is connected.</p>" : list(rails);
  const [open, over] = [incidents.filter(isOpen), incidents.filter((incident) => !isOpen(incident))];
  const now = open.length === 0 ? "" : `<section><h2>Now</h2>${open.map(articleOf).join("")}</section>`;
  const past = over.length === 0 ? "<p>None.</p>" : over.map(articleOf).join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Status · Jara</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head>
<body><main><h1 class="${condition}">${headlines[condition]}</h1>${now}
<h2>Rails</h2>${railsText}<h2>Work</h2>${list(work)}
<section><h2>Incidents of the last ${shownDays} days</h2>${past}</section>
<p><small>As of ${lagos(at)} in Lagos. Load the page again to see it change.</small></p></main></body></html>`;
}

function itemOf({ name, condition, since }: StatusLine): string {
  const when = since === null ? "" : `<small>since ${lagos(since)}</small>`;
  return `<li><span>${name}${when}</span><strong class="${condition}">${words[condition]}</strong></li>`;
}

function isOpen({ endedAt }: Incident): boolean {
  return endedAt === null;
}

/** A person wrote the title and the words: they come in escaped. */
function articleOf(incident: Incident): string {
  const { title, condition, parts, updates } = incident;
  const names = parts.map((part) => partNames[part]).join(", ");
  const told = updates.length === 0 ? "" : `<ol>${updates.map(updateOf).join("")}</ol>`;
  return `<article class="${isOpen(incident) ? condition : "over"}"><h3>${escapeHtml(title)}</h3>
<p><small>${names} · ${words[condition]} · ${spanOf(incident)}</small></p>${told}</article>`;
}

function updateOf({ state, message, writtenAt }: IncidentUpdate): string {
  const head = `<small>${lagos(writtenAt)} · <strong>${stateWords[state]}</strong></small>`;
  return `<li>${head}<p>${escapeHtml(message)}</p></li>`;
}

function spanOf({ startedAt, endedAt }: Incident): string {
  if (endedAt === null) return `since ${lagos(startedAt)}`;
  const minutes = Math.max(1, Math.round((endedAt.getTime() - startedAt.getTime()) / 60_000));
  return `${lagos(startedAt)}, for ${lengthOf(minutes)}`;
}

function lengthOf(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return `${minutes} min`;
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

function lagos(moment: Date): string {
  return lagosTime(moment).toPlainDateTime().toString({ smallestUnit: "minute" }).replace("T", " ");
}

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
