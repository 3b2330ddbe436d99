/**
 * What a rail may say about an order, whatever the order is. It definitely happened (each port has its own word for
 * that), it definitely did not and never will, or nobody knows yet. Unknown is not failed.
 */
import type { Kobo } from "../money/kobo.ts";

/** Why a rail takes no orders at the moment. Each is the operator's to mend, and none says anything about an order. */
export const holdReasons = ["float_empty", "keys_refused", "address_refused", "otp_required", "not_enabled"] as const;

export type HoldReason = (typeof holdReasons)[number];

export interface Hold {
  readonly reason: HoldReason;
  /** The rail's own words, without secrets. */
  readonly message: string;
}

/** By what a payment can be traced at the rail. */
export interface RailTrace {
  /** The rail's own name for the order. */
  readonly providerReference?: string;
  /** The 30 digits under which the interbank switch knows a payment. */
  readonly networkSessionId?: string;
  /** What the rail charges us for it. */
  readonly fee?: Kobo;
}

export interface Failure {
  readonly outcome: "failure";
  readonly code: string;
  readonly message: string;
  /** Something that people must look at, such as a product that is not switched on for our account. */
  readonly alarm?: string;
  readonly trace?: RailTrace;
}

/** No answer, or one that does not settle the matter. */
export interface Unknown {
  readonly outcome: "unknown";
  /** The rail's code or word, if there was one. */
  readonly code?: string | null;
  /** The rail cannot take this or any other order now: the connection is held until an operator has mended it. */
  readonly hold?: Hold;
  /** Something that people must look at, such as an amount that is not ours. */
  readonly alarm?: string;
  readonly trace?: RailTrace;
}

/** The rail has never heard of the order. */
export interface NoRecord {
  readonly outcome: "no_record";
}

/** It happened, and the rail undid it: the money is back with us. */
export interface TakenBack {
  readonly outcome: "taken_back";
  readonly code: string;
  readonly message: string;
  readonly trace?: RailTrace;
}
