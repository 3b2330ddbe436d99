/** Events as tests make and judge them. */
import { isDeepStrictEqual } from "node:util";
import pg from "pg";
import type { TSchema } from "typebox";
import { type Database, inEnvironment } from "../../src/platform/database/database.ts";
import { compileCheck } from "../../src/platform/http/request/validation.ts";
import { Problem } from "../../src/platform/problem.ts";
import type { EventKind } from "../../src/platform/records/event-catalogue.ts";
import { type NewEvent, recordEvents } from "../../src/platform/records/outbox.ts";
import { house } from "../../src/start/slices.ts";
import type { TestApp } from "../app.ts";
import { issueKeyFor } from "../keys.ts";

/** An event of a name in the catalogue whose data says nothing. */
export function someEvent(event = "wallet.credited", data: NewEvent["data"] = {}): NewEvent {
  return { event, resourceType: "test", resourceId: crypto.randomUUID(), resourceVersion: 1, data };
}

/** Commits events of an environment, in their order; returns their ids. */
export function record(db: Database, environmentId: string, ...events: readonly NewEvent[]): Promise<string[]> {
  return inEnvironment(db, environmentId, (tx) => recordEvents(tx, events));
}

interface WrittenEvent {
  readonly environmentId: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
  /** Nothing was announced about this resource since. */
  readonly isLatest: boolean;
}

/**
 * Holds everything in the events table against the catalogue: each name is declared, each `data` has the declared
 * fields and no others, no BVN or NIN stands there in full, and what GET shows now equals the last event of each
 * record. Returns what is wrong; call it when nothing moves any more.
 */
export async function findEventFaults(testing: Pick<TestApp, "db" | "ownerUrl" | "call">): Promise<string[]> {
  const written = await readAllEvents(testing.ownerUrl);
  if (written.length === 0) return ["no event was written"];
  const faults: string[] = [];
  const keys = new Map<string, string>();
  for (const found of written) {
    const kind = house.events[found.event];
    if (kind === undefined) {
      faults.push(`${found.event}: no catalogue declares it`);
      continue;
    }
    faults.push(
      ...[...misfits(kind, found.data), ...bareNumbers(found.data)].map((fault) => `${found.event}: ${fault}`),
    );
    if (!found.isLatest || kind.readAt === undefined) continue;
    const key = keys.get(found.environmentId) ?? (await issueKeyFor(testing.db, found.environmentId));
    keys.set(found.environmentId, key);
    const shown = await readRecord(testing, kind.readAt, found.data, key);
    if (!isDeepStrictEqual(withoutIdentity(shown), withoutIdentity(found.data))) {
      faults.push(`${found.event}: GET shows ${JSON.stringify(shown)}, the event ${JSON.stringify(found.data)}`);
    }
  }
  return faults;
}

async function readAllEvents(ownerUrl: string): Promise<WrittenEvent[]> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    const found = await owner.query<WrittenEvent>(`
      select environment_id as "environmentId", event, data,
        resource_version = max(resource_version) over (partition by environment_id, resource_id) as "isLatest"
      from events order by sequence`);
    return found.rows;
  } finally {
    await owner.end();
  }
}

function misfits(kind: EventKind, data: unknown): string[] {
  try {
    compileCheck(closed(kind.data), "body")(structuredClone(data));
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.errors.map(({ field, message }) => `data.${field} ${message}`);
  }
}

/** The schema without room for fields that it does not name. */
function closed<S extends TSchema>(schema: S): S {
  const close = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(close);
    if (typeof part !== "object" || part === null) return part;
    const parts = Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, close(inner)]));
    return "properties" in parts ? { additionalProperties: false, ...parts } : parts;
  };
  return close(schema) as S;
}

const identityFields = ["bvn", "nin"];

function bareNumbers(data: unknown): string[] {
  if (typeof data !== "object" || data === null) return [];
  return Object.entries(data).flatMap(([name, value]) =>
    identityFields.includes(name) && typeof value === "string" && /\d{5}/.test(value)
      ? [`${name} is not masked`]
      : bareNumbers(value),
  );
}

function withoutIdentity(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutIdentity);
  if (typeof data !== "object" || data === null) return data;
  const kept = Object.entries(data).filter(([name]) => !identityFields.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutIdentity(value)]));
}

/** `loan_request.id` is a field of a field. */
function valueAt(data: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], data);
}

/** Fills the path from the record's own fields; in a list it is found by its id. */
async function readRecord(
  { call }: Pick<TestApp, "call">,
  path: string,
  data: Readonly<Record<string, unknown>>,
  key: string,
): Promise<unknown> {
  const filled = path.replaceAll(/\{([\w.]+)\}/g, (_, name: string) => String(valueAt(data, name)));
  const reply = await call("GET", filled.includes("?") ? `${filled}&limit=100` : filled, { key });
  const shown: unknown = reply.json().data;
  return Array.isArray(shown) ? shown.find((item) => item.id === data["id"]) : shown;
}
