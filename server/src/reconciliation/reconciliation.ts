/**
 * Reconciliation holds three books against each other for one day of one connection: our orders, our ledger, and the
 * provider's own list. A day is 00:00 to 24:00 in Lagos, by the time at which the provider made its record.
 *
 *   running ──▶ clean         all three say the same
 *      ├──────▶ exceptions    what differs is listed, each difference once
 *      └──────▶ failed        a side could not be read as a whole; it says why, and nothing about the day
 *
 * A day that is compared again is a new version. An exception lives across versions: the run that no longer finds it
 * closes it. An operator who has explained one resolves it, with a reason, once. The resolution and the age stay while
 * the figures stay as they were. When they change it is open again.
 */
import type { Kobo } from "../money/kobo.ts";
import type { ProviderRecord } from "../rails/provider.ts";

export const reconciliationStates = ["running", "clean", "exceptions", "failed"] as const;
export type ReconciliationState = (typeof reconciliationStates)[number];

export const exceptionKinds = [
  "missing_at_provider",
  "missing_with_us",
  "amount_differs",
  "status_differs",
  "fee_differs",
] as const;
export type ExceptionKind = (typeof exceptionKinds)[number];

/** What became of an order, as far as both sides can say it. */
export type OrderState = ProviderRecord["status"] | "trial";

/** An order of ours, with what the ledger has for it. */
export interface OurOrder {
  /** Of the provider's records that can stand for it. */
  readonly kind: string;
  readonly type: string;
  readonly environmentId: string;
  readonly id: string;
  /** By which the provider knows it. */
  readonly orderId: string;
  readonly reference: string;
  /** Null of a trial: how much is charged to link a card is the provider's affair. */
  readonly amount: Kobo | null;
  readonly state: OrderState;
  readonly sentAt: Date;
  /** What the provider has told us about it, if it has. */
  readonly providerReference: string | null;
  readonly fee: Kobo | null;
  /** What the ledger has booked with the provider for it: its amount when it was done, else nothing. */
  readonly ledger: Kobo;
}

export interface FoundException {
  readonly kind: ExceptionKind;
  readonly ours: OurOrder | null;
  readonly theirs: ProviderRecord | null;
}

export interface Counts {
  readonly orders: number;
  readonly records: number;
  /** Orders that agree on all sides. */
  readonly agreed: number;
  /** Orders whose outcome is still open. */
  readonly waiting: number;
  readonly exceptions: number;
}

/** What was done of one kind, in each book. */
export interface Total {
  readonly kind: string;
  readonly orders: Kobo;
  readonly ledger: Kobo;
  readonly provider: Kobo;
}

export interface Comparison {
  readonly exceptions: readonly FoundException[];
  readonly counts: Counts;
  readonly totals: readonly Total[];
}

export interface Reconciliation {
  readonly id: string;
  readonly connectionId: string;
  /** YYYY-MM-DD, in Lagos. */
  readonly date: string;
  readonly version: number;
  readonly state: ReconciliationState;
  readonly requestedBy: string;
  readonly counts: Counts | null;
  readonly totals: readonly Total[] | null;
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

/** An exception as it is kept: figures in kobo, as texts. */
export interface KeptException {
  readonly id: string;
  readonly connectionId: string;
  readonly date: string;
  readonly kind: ExceptionKind;
  readonly ours: OursKept | null;
  readonly theirs: TheirsKept | null;
  readonly firstSeenAt: Date;
  readonly closedAt: Date | null;
  readonly resolution: { readonly by: string; readonly reason: string; readonly at: Date } | null;
}

export interface OursKept {
  readonly type: string;
  readonly id: string;
  readonly environmentId: string;
  readonly orderId: string;
  readonly reference: string;
  readonly status: OrderState;
  readonly amount: string | null;
  readonly fee: string | null;
  readonly ledger: string;
  readonly sentAt: string;
}

export interface TheirsKept {
  readonly kind: string;
  readonly providerReference: string;
  readonly orderId: string | null;
  readonly status: string;
  readonly word: string;
  readonly amount: string | null;
  readonly fee: string | null;
  readonly createdAt: string;
}

export function keepOurs(order: OurOrder): OursKept {
  const { type, id, environmentId, orderId, reference, state, amount, fee, ledger, sentAt } = order;
  return {
    type,
    id,
    environmentId,
    orderId,
    reference,
    status: state,
    amount: amount === null ? null : String(amount),
    fee: fee === null ? null : String(fee),
    ledger: String(ledger),
    sentAt: sentAt.toISOString(),
  };
}

export function keepTheirs(record: ProviderRecord): TheirsKept {
  const { kind, providerReference, ourId, status, word, amount, fee, createdAt } = record;
  return {
    kind,
    providerReference,
    orderId: ourId,
    status,
    word,
    amount: amount === null ? null : String(amount),
    fee: fee === null ? null : String(fee),
    createdAt: createdAt.toISOString(),
  };
}

/** Which payment an exception is about. */
export function subjectOf({ ours, theirs }: FoundException): string {
  if (ours !== null) return `${ours.kind}/${ours.orderId}`;
  return `${theirs?.kind}/at-provider/${theirs?.providerReference}`;
}
