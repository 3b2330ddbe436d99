/**
 * Where a record's money is, and why: a trace is the story of one record, told from rows that are stored anyway. Each
 * slice tells what it keeps: a state, a posting, an order to a rail, an event. Nobody knows every table. A record leads
 * to others of the same story (a loan to the payout that paid it out), and those are asked about in the next round.
 *
 * A step carries no secrets and no whole personal numbers. What merchants must not see, such as the provider behind a
 * rail, is told to operators only.
 */
import type { RawBuilder } from "kysely";
import type { Tx } from "../database/database.ts";

export const stepKinds = ["request", "decision", "check", "rail", "state", "posting", "event", "delivery"] as const;
export type StepKind = (typeof stepKinds)[number];

export interface TraceStep {
  /** In the environment's time. */
  readonly at: Date;
  readonly kind: StepKind;
  readonly title: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Ids that can be traced or read further, by what they are. */
  readonly ids: Readonly<Record<string, string>>;
  readonly ok: boolean;
  /** Where it stands among the steps of its moment: a whole life has one moment while a clock stands still. */
  readonly turn?: number;
  /** The kind of a posting or the name of an event, whose turn the slice of its record knows. */
  readonly cause?: string;
}

/** Records of one table that have an id, as a caller may name them. */
export interface TracedKind {
  readonly kind: string;
  readonly table: string;
  /** The record whose story this one is part of: an expression over the table's columns that gives a UUID or null. */
  readonly partOf?: RawBuilder<string | null>;
  /** Its ids may be those of other records too, and those say better what an id is. */
  readonly lastResort?: true;
}

export type TraceAudience = "merchant" | "operator";

export interface TraceQuestion {
  readonly ids: readonly string[];
  /** By what rails know the orders of these records, where that is not the record's id; names of records that have one. */
  readonly orders: readonly string[];
  readonly audience: TraceAudience;
  /** Those that an operator has decided about: their outcome is not a rail's word. */
  readonly decided: ReadonlySet<string>;
}

export interface Told {
  readonly steps: readonly TraceStep[];
  /** Further records of the same story. */
  readonly also?: readonly string[];
  readonly orders?: readonly string[];
}

/** Records that are called by a name instead of an id. */
export interface NamedKind {
  readonly kind: string;
  /** The record whose story it is part of, or null for a story of its own; undefined when nothing has this name. */
  find(tx: Tx, name: string): Promise<{ readonly partOf: string | null } | undefined>;
  /** The environments that have one. The transaction is in the operator's scope. */
  environments(tx: Tx, name: string): Promise<readonly string[]>;
}

export interface TraceSource {
  readonly records?: readonly TracedKind[];
  readonly named?: NamedKind;
  /** Where postings and events stand among the steps of their moment, by the posting's kind and the event's name. */
  readonly turns?: Readonly<Record<string, number>>;
  tell(tx: Tx, question: TraceQuestion): Promise<Told>;
}
