/**
 * A kind of order whose outcome a stranger may owe us: what its open orders are called, which look-up function lists
 * them over all environments, and what its further columns say.
 */
import type { TSchema } from "typebox";

/** A limit of the regulator, and what must have happened by then. */
export interface RegulatorsClock {
  readonly name: string;
  readonly seconds: number;
}

export interface OwedKind {
  /** As the operator's list calls it: "card_charge". */
  readonly type: string;
  /** As a sentence calls many of them: "Card charges". */
  readonly noun: string;
  readonly gauge: string;
  /** By when the regulator wants it to have an end, the soonest first. */
  readonly clocks: readonly RegulatorsClock[];
  /** A function of (older than so many seconds, at most so many), oldest first. */
  readonly lookup: `list_unknown_${string}`;
  /** What helps to find an order at the rail, as the operator's list shows it. */
  readonly fields: Readonly<Record<string, TSchema>>;
  detail(column: (name: string) => string): OwedDetail;
}

export type OwedDetail = Readonly<Record<string, string | number>>;
