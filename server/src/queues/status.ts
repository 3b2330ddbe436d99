/**
 * How the house is doing, in words for anybody: each rail and each kind of work, and since when something is not well.
 * It tells nothing about merchants: no names, no amounts, no counts.
 */
import { keysOf } from "../platform/keys-of.ts";
import { type Queue, type QueueName, stateOf } from "./queue.ts";

export type Condition = "working" | "slow" | "not_working";

export interface StatusLine {
  readonly name: string;
  readonly condition: Condition;
  /** Since when it is not working, or slow. */
  readonly since: Date | null;
}

export interface Status {
  readonly condition: Condition;
  readonly rails: readonly StatusLine[];
  readonly work: readonly StatusLine[];
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
}

const railNames = {
  bank: "Payouts to banks",
  biller: "Bills and airtime",
  card: "Card payments",
  inbound: "Money coming in",
  message: "Messages to customers",
  identity: "Identity checks",
} as const;

const workNames: Readonly<Record<QueueName, string>> = {
  transfers: "Sending payouts",
  bills: "Sending bills",
  agenda: "Following up on payments",
  jobs: "Work in the background",
  events: "Recording events",
  deliveries: "Delivering webhooks",
  hints: "News from providers",
  messages: "Sending messages",
};

const queueConditions = { ok: "working", slow: "slow", stuck: "not_working" } as const;

export interface Seen {
  readonly connections: readonly SeenConnection[];
  readonly isAnswering: (connectionId: string) => boolean;
  readonly queues: readonly Queue[];
  readonly now: Date;
}

export function readStatus({ connections, isAnswering, queues, now }: Seen): Status {
  const isOpen = ({ id, state, checksPassed, hold }: SeenConnection) =>
    state === "active" && checksPassed && hold === null && isAnswering(id);
  const rails = keysOf(railNames).flatMap((port) => {
    const serving = connections.filter(
      ({ mode, state, ports }) => mode === "live" && state !== "retired" && ports.includes(port),
    );
    return serving.length === 0 ? [] : [railLine(railNames[port], serving, isOpen)];
  });
  const work = queues.filter(({ environment }) => environment === "LIVE").map((queue) => workLine(queue, now));
  return { condition: worst([...rails, ...work]), rails, work, at: now };
}

/** Slow while some of a rail's providers take orders and others do not. */
function railLine(
  name: string,
  serving: readonly SeenConnection[],
  isOpen: (connection: SeenConnection) => boolean,
): StatusLine {
  const closed = serving.filter((connection) => !isOpen(connection));
  if (closed.length === 0) return { name, condition: "working", since: null };
  const holds = closed.flatMap(({ hold }) => (hold === null ? [] : [hold.since.getTime()]));
  const since = holds.length === 0 ? null : new Date(Math.min(...holds));
  return { name, condition: closed.length === serving.length ? "not_working" : "slow", since };
}

function workLine(queue: Queue, now: Date): StatusLine {
  const condition = queueConditions[stateOf(queue)];
  const since = condition === "working" ? null : new Date(now.getTime() - queue.oldestSeconds * 1000);
  return { name: workNames[queue.kind], condition, since };
}

function worst(lines: readonly StatusLine[]): Condition {
  const seen = new Set(lines.map(({ condition }) => condition));
  if (seen.has("not_working")) return "not_working";
  return seen.has("slow") ? "slow" : "working";
}
