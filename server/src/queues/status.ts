/**
 * How the house is doing, in words for anybody: each rail and each kind of work, and since when something is not well.
 * It tells nothing about merchants: no names, no amounts, no counts.
 */
import type { Incident } from "../incidents/incident.ts";
import { type Part, railParts, workParts } from "../incidents/part.ts";
import { keysOf } from "../platform/keys-of.ts";
import { type Queue, stateOf } from "./queue.ts";

export type Condition = "working" | "slow" | "not_working";

export interface StatusLine {
  readonly part: Part;
  readonly name: string;
  readonly condition: Condition;
  /** Since when it is not working, or slow. */
  readonly since: Date | null;
}

export interface Status {
  readonly condition: Condition;
  readonly rails: readonly StatusLine[];
  readonly work: readonly StatusLine[];
  /** Open ones, and those of the last 30 days. Newest first. */
  readonly incidents: readonly Incident[];
  readonly at: Date;
}

/** What of a connection matters here. */
export interface SeenConnection {
  readonly id: string;
  readonly mode: string;
  readonly state: string;
  readonly ports: readonly string[];
  readonly checksPassed: boolean;
  readonly hold: { readonly since: Date } | null;
  readonly float: { readonly available: bigint } | null;
}

const queueConditions = { ok: "working", slow: "slow", stuck: "not_working" } as const;

export interface Seen {
  readonly connections: readonly SeenConnection[];
  readonly isAnswering: (connectionId: string) => boolean;
  readonly queues: readonly Queue[];
  readonly incidents: readonly Incident[];
  readonly now: Date;
}

export function readStatus({ connections, isAnswering, queues, incidents, now }: Seen): Status {
  const isOpen = ({ id, state, checksPassed, hold }: SeenConnection) =>
    state === "active" && checksPassed && hold === null && isAnswering(id);
  const rails = keysOf(railParts).flatMap((port) => {
    const serving = connections.filter(
      ({ mode, state, ports }) => mode === "live" && state !== "retired" && ports.includes(port),
    );
    return serving.length === 0 ? [] : [railLine(port, serving, isOpen)];
  });
  const work = queues.flatMap((queue) =>
    queue.environment === "LIVE" && isWorkPart(queue.kind) ? [workLine(queue.kind, queue, now)] : [],
  );
  const told = incidents.filter(({ endedAt }) => endedAt === null);
  return { condition: worst([...rails, ...work, ...told]), rails, work, incidents, at: now };
}

/** Slow while some of a rail's providers take orders and others do not. */
function railLine(
  part: keyof typeof railParts,
  serving: readonly SeenConnection[],
  isOpen: (connection: SeenConnection) => boolean,
): StatusLine {
  const closed = serving.filter((connection) => !isOpen(connection));
  const name = railParts[part];
  if (closed.length === 0) return { part, name, condition: "working", since: null };
  const holds = closed.flatMap(({ hold }) => (hold === null ? [] : [hold.since.getTime()]));
  const since = holds.length === 0 ? null : new Date(Math.min(...holds));
  return { part, name, condition: closed.length === serving.length ? "not_working" : "slow", since };
}

/** What the public does not know by a name is not told to it. */
function isWorkPart(kind: string): kind is keyof typeof workParts {
  return Object.hasOwn(workParts, kind);
}

function workLine(part: keyof typeof workParts, queue: Queue, now: Date): StatusLine {
  const condition = queueConditions[stateOf(queue)];
  const since = condition === "working" ? null : new Date(now.getTime() - queue.oldestSeconds * 1000);
  return { part, name: workParts[part], condition, since };
}

function worst(lines: readonly { readonly condition: Condition }[]): Condition {
  const seen = new Set(lines.map(({ condition }) => condition));
  if (seen.has("not_working")) return "not_working";
  return seen.has("slow") ? "slow" : "working";
}
