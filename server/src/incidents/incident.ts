/**
 * An incident is something that merchants felt, or could have felt: when it began, what it touched, what was done about
 * it, when it was over. Anybody reads it at /status.
 *
 *   investigating ◀──▶ identified ◀──▶ watching
 *         └────────────────┼──────────────┘
 *                          ▼
 *                       resolved
 *
 * Workers open and end what they see by themselves: a rail that takes no orders, work that waits too long, little money
 * left at a provider, books that contradict themselves. Each of these lasts while it is seen, so several workers agree
 * without asking each other, and what is over in a moment is never shown. People write the rest, and may add words to
 * what the system sees; only the system ends that.
 */
import type { Part } from "./part.ts";

export const incidentConditions = ["slow", "not_working"] as const;
export type IncidentCondition = (typeof incidentConditions)[number];

export const incidentStates = ["investigating", "identified", "watching", "resolved"] as const;
export type IncidentState = (typeof incidentStates)[number];

export const incidentSources = ["system", "operator"] as const;

export interface IncidentUpdate {
  readonly state: IncidentState;
  readonly message: string;
  readonly writtenBy: string;
  readonly writtenAt: Date;
}

export interface Incident {
  readonly id: string;
  readonly source: (typeof incidentSources)[number];
  readonly title: string;
  readonly condition: IncidentCondition;
  readonly parts: readonly Part[];
  readonly state: IncidentState;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly withdrawnAt: Date | null;
  readonly createdAt: Date;
  /** Newest first. */
  readonly updates: readonly IncidentUpdate[];
}

/** What the system sees now. */
export interface Trouble {
  readonly cause: string;
  readonly title: string;
  readonly condition: IncidentCondition;
  readonly parts: readonly Part[];
  /** Since when, where that is known. */
  readonly since: Date | null;
  /** From this age on the public is told. */
  readonly shownAfterSeconds: number;
}

/** How long an incident stays on the public page. */
export const shownDays = 30;
/** What nobody has seen for so long is over. Workers look every half minute. */
export const overAfterSeconds = 120;
