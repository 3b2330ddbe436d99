/** `/status`, for anybody: a page for a person, JSON for a program. Read at most once in five seconds, whoever asks. */
import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { type Database, operatorScope, timeIn } from "../platform/database/database.ts";
import { rememberFor } from "../platform/remember.ts";
import { lagosTime } from "../platform/time/lagos-date.ts";
import { readAllQueues } from "./queue-store.ts";
import { type Condition, readStatus, type SeenConnection, type Status, type StatusLine } from "./status.ts";

export interface StatusDependencies {
  readonly db: Database;
  readonly connections: {
    list(): Promise<readonly SeenConnection[]>;
    readonly health: { of(id: string): { readonly state: string } };
  };
}

const freshMs = 5_000;
const style = `:root{color-scheme:light dark;--ok:#0b6b3a;--slow:#8a5a00;--bad:#b3261e;
--line:#d9dee3;--soft:#56606b;--page:#fff;--ink:#12181f}
@media(prefers-color-scheme:dark){:root{--ok:#6fd39a;--slow:#f0c060;--bad:#ff9a90;--line:#39424c;--soft:#a9b4bf;
--page:#0c1110;--ink:#eef2f5}}
html{background:var(--page);color:var(--ink)}
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:40rem;padding:2rem 1rem}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}ul{list-style:none;padding:0}
li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem;padding:.6rem 0;
border-bottom:1px solid var(--line)}.working{color:var(--ok)}.slow{color:var(--slow)}.not_working{color:var(--bad)}
small{color:var(--soft);display:block}`;
const styleHash = createHash("sha256").update(style).digest("base64");
const headers = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
  "cache-control": "public, max-age=5",
  "x-content-type-options": "nosniff",
  vary: "accept",
} as const;

const words: Readonly<Record<Condition, string>> = { working: "Working", slow: "Slow", not_working: "Not working" };
const headlines: Readonly<Record<Condition, string>> = {
  working: "Everything works",
  slow: "Some things are slow",
  not_working: "Something is not working",
};

export function registerStatusPage(app: FastifyInstance, { db, connections }: StatusDependencies): void {
  const read = rememberFor(freshMs, async () => {
    const known = await connections.list();
    const [queues, now] = await Promise.all([readAllQueues(db), timeIn(db, operatorScope)]);
    return readStatus({
      connections: known,
      isAnswering: (id) => connections.health.of(id).state === "ok",
      queues,
      now,
    });
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

function presentStatus({ condition, rails, work, at }: Status) {
  const present = ({ name, condition: its, since }: StatusLine) => ({
    name,
    condition: its,
    since: since?.toISOString() ?? null,
  });
  const lines = [...rails, ...work];
  return {
    condition,
    rails: rails.map(present),
    work: work.map(present),
    incidents: lines.filter((line) => line.condition !== "working").map(present),
    at: at.toISOString(),
  };
}

/** Every text here is ours: nothing that a merchant or a provider wrote comes in. */
function pageOf({ condition, rails, work, at }: Status): string {
  const list = (lines: readonly StatusLine[]) => `<ul>${lines.map(itemOf).join("")}</ul>`;
  const railsText = rails.length === 0 ? "<p>Sandboxes only: no real rail is connected.</p>" : list(rails);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Status · Jara</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head>
<body><main><h1 class="${condition}">${headlines[condition]}</h1>
<h2>Rails</h2>${railsText}<h2>Work</h2>${list(work)}
<p><small>As of ${lagos(at)} in Lagos. Load the page again to see it change.</small></p></main></body></html>`;
}

function itemOf({ name, condition, since }: StatusLine): string {
  const when = since === null ? "" : `<small>since ${lagos(since)}</small>`;
  return `<li><span>${name}${when}</span><strong class="${condition}">${words[condition]}</strong></li>`;
}

function lagos(moment: Date): string {
  return lagosTime(moment).toPlainDateTime().toString({ smallestUnit: "minute" }).replace("T", " ");
}
