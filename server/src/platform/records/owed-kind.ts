/**
 * A kind of order whose outcome a stranger may owe us: what its open orders are called, and what else an operator is
 * shown of one.
 */
import type { TSchema } from "typebox";

/** A limit of the regulator, and what must have happened by then. */
export interface RegulatorsClock {
  readonly name: string;
  readonly seconds: number;
}

export interface OwedKind {
  /** As the operator's list calls it: "card_charge". The view `orders_of_card_charge` has them. */
  readonly type: string;
  /** As a sentence calls many of them: "Card charges". */
  readonly noun: string;
  readonly gauge: string;
  /** By when the regulator wants it to have an end, the soonest first. */
  readonly clocks: readonly RegulatorsClock[];
  /** What helps to find an order at the rail, as the operator's list shows it. */
  readonly fields: Readonly<Record<string, TSchema>>;
  /** From the `detail` of the kind's view. */
  detail(column: (name: string) => string): OwedDetail;
}

export type OwedDetail = Readonly<Record<string, string | number>>;
