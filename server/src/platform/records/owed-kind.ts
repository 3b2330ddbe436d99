/**
 * A kind of order whose outcome a stranger may owe us: what its open orders are called, which look-up function lists
 * them over all environments, and what its further columns say.
 */
import type { TSchema } from "typebox";

export interface OwedKind {
  /** As the operator's list calls it: "card_charge". */
  readonly type: string;
  /** As a sentence calls many of them: "Card charges". */
  readonly noun: string;
  readonly gauge: string;
  /** A function of (older than so many seconds, at most so many), oldest first. */
  readonly lookup: `list_unknown_${string}`;
  /** What helps to find an order at the rail, as the operator's list shows it. */
  readonly fields: Readonly<Record<string, TSchema>>;
  detail(column: (name: string) => string): OwedDetail;
}

export type OwedDetail = Readonly<Record<string, string | number>>;
