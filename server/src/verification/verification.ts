/**
 * A verification recomputes the books of every environment, and the operator's own, from their entries and histories,
 * and names what contradicts them. It reads only, so whatever it finds stands until a person has understood it.
 *
 *   running ──▶ clean | contradictions | failed
 *
 * It reads everything that there is, so there is one at a time, in however many processes, and it rests as long as it
 * works. A worker that dies with it loses it when its lease is over, and the next one begins from the start.
 */
import type { Difference } from "../platform/records/difference.ts";

export const verificationStates = ["running", "clean", "contradictions", "failed"] as const;
export type VerificationState = (typeof verificationStates)[number];

/** A difference, and where: null stands for the operator's own books. */
export interface Contradiction extends Difference {
  readonly environmentId: string | null;
}

/** How far a verification has come, or how far it went. */
export interface Tally {
  readonly environments: number;
  readonly checks: number;
  readonly contradictions: number;
}

export interface Verification extends Tally {
  readonly id: string;
  readonly state: VerificationState;
  readonly requestedBy: string;
  /** The first of the contradictions. */
  readonly found: readonly Contradiction[];
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

/** How many contradictions are kept; all of them are counted. */
export const mostKept = 200;

/** Who asks for those of the night. */
export const nightly = "nightly";
