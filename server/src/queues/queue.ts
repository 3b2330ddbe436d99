/**
 * A queue is work that is due and that no worker has taken up yet. A queue may be deep for a moment; what hurts is its
 * age, so how it is doing follows from how long its oldest entry has waited, and every kind knows what is too long.
 */
export interface QueueKind {
  /** What waits, in a sentence. */
  readonly says: string;
  /** From this age on it is slow, and from ten times this age on it stands still. */
  readonly slowSeconds: number;
}

/** In the order in which they are shown: money first. */
export const queueKinds = {
  transfers: { says: "Payouts and disbursements that wait to be sent to a bank", slowSeconds: 30 },
  bills: { says: "Bills that wait to be sent to a biller", slowSeconds: 30 },
  agenda: { says: "Questions to rails, reversals and other work whose time has come", slowSeconds: 30 },
  jobs: { says: "Jobs that wait for a worker", slowSeconds: 30 },
  events: { says: "Events that have no place in the log yet", slowSeconds: 15 },
  deliveries: { says: "Webhooks that are due", slowSeconds: 60 },
  hints: { says: "News from providers that nobody has looked into yet", slowSeconds: 60 },
  messages: { says: "Codes and links that wait to be sent to customers", slowSeconds: 60 },
} as const satisfies Readonly<Record<string, QueueKind>>;

export type QueueName = keyof typeof queueKinds;

export const queueStates = ["ok", "slow", "stuck"] as const;
export type QueueState = (typeof queueStates)[number];

export interface Queue {
  readonly kind: QueueName;
  readonly environment: "SANDBOX" | "LIVE";
  readonly depth: number;
  /** 0 while nothing waits. */
  readonly oldestSeconds: number;
  /** Due later than anything of its kind may be: booked by a wrong clock, and about to be brought forward. */
  readonly misdated: number;
}

const stuckTimes = 10;

export function stateOf({ kind, oldestSeconds }: Pick<Queue, "kind" | "oldestSeconds">): QueueState {
  const { slowSeconds } = queueKinds[kind];
  if (oldestSeconds < slowSeconds) return "ok";
  return oldestSeconds < slowSeconds * stuckTimes ? "slow" : "stuck";
}
