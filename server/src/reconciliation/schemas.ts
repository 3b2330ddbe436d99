/** Reconciliations on the wire. */
import { type Static, Type } from "typebox";
import { subtract } from "../money/arithmetic.ts";
import { type Kobo, kobo, nairaNumber } from "../money/kobo.ts";
import { named } from "../platform/http/named-schema.ts";
import { Id, NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { pageQuery } from "../platform/records/pagination.ts";
import { exceptionKinds, type KeptException, type Reconciliation, reconciliationStates } from "./reconciliation.ts";

const day = Type.String({ format: "date", description: "A day in Lagos.", examples: ["2026-11-15"] });
const state = OneOf(reconciliationStates, {
  description:
    "running: a worker compares the day. clean: all three books agree. exceptions: they do not. failed: a side could not be read; nothing is said about the day.",
  examples: ["clean"],
});

export const startBody = Type.Object({ connectionId: Id("The connection whose day is compared."), date: day });

export const listQuery = Type.Object({
  ...pageQuery.properties,
  connectionId: Type.Optional(Id("Of this connection only.")),
  state: Type.Optional(state),
  date: Type.Optional(day),
});

const totalData = Type.Object({
  kind: Type.String({ examples: ["payout"] }),
  orders: NairaNumber,
  ledger: NairaNumber,
  provider: NairaNumber,
  ordersLessLedger: NairaNumber,
  ordersLessProvider: NairaNumber,
});

const reconciliationFields = {
  id: Uuid,
  connectionId: Uuid,
  date: day,
  version: Type.Integer({ description: "1 for the first run of the day.", examples: [1] }),
  state,
  requestedBy: Type.String({ description: "The operator, or nightly.", examples: ["nightly"] }),
  counts: Nullable(
    Type.Object({
      orders: Type.Integer({ examples: [120] }),
      records: Type.Integer({ description: "At the provider.", examples: [120] }),
      agreed: Type.Integer({ description: "Orders that are the same in all three books.", examples: [119] }),
      waiting: Type.Integer({ description: "Orders whose outcome is open and may be for now.", examples: [1] }),
      exceptions: Type.Integer({ examples: [0] }),
    }),
  ),
  totals: Type.Array(totalData, { description: "What was done, by kind, in each book. Empty while nothing is known." }),
  failure: Nullable(Type.Object({ code: Type.String({ examples: ["provider_unreadable"] }), message: Type.String() })),
  createdAt: Timestamp,
  completedAt: Nullable(Timestamp),
};

const status = (words: string) => Type.String({ description: words, examples: ["success"] });

export const exceptionData = named(
  "ReconciliationException",
  Type.Object({
    id: Uuid,
    kind: OneOf(exceptionKinds),
    ours: Nullable(
      Type.Object({
        type: Type.String({ examples: ["transfer"] }),
        id: Uuid,
        environmentId: Uuid,
        orderId: Type.String({ description: "By which the provider knows it." }),
        reference: Type.String(),
        status: status("success, failure, taken_back or open."),
        amount: Nullable(NairaNumber),
        fee: Nullable({ ...NairaNumber, description: "What the provider told us that it charges." }),
        ledger: { ...NairaNumber, description: "What the ledger has booked with the provider." },
        sentAt: Timestamp,
      }),
    ),
    theirs: Nullable(
      Type.Object({
        kind: Type.String({ examples: ["payout"] }),
        providerReference: Type.String({ examples: ["TRF_2x5j67tnnw1t98k"] }),
        orderId: Nullable(Type.String()),
        status: status("success, failure, taken_back or open."),
        word: Type.String({ description: "The provider's own.", examples: ["reversed"] }),
        amount: Nullable(NairaNumber),
        fee: Nullable(NairaNumber),
        createdAt: Timestamp,
      }),
    ),
    firstSeenAt: Timestamp,
    ageDays: Type.Integer({ description: "Since it was first seen, until it was resolved or closed.", examples: [2] }),
    closedAt: Nullable({ ...Timestamp, description: "A later run no longer found it." }),
    resolvedBy: Nullable(Type.String({ examples: ["operator"] })),
    resolvedAt: Nullable(Timestamp),
    reason: Nullable(Type.String({ examples: ["Paid by hand, bank letter of 16 November"] })),
  }),
);

export const reconciliationData = named("Reconciliation", Type.Object(reconciliationFields));

export const wholeData = named(
  "ReconciliationWithExceptions",
  Type.Object({
    ...reconciliationFields,
    exceptions: Type.Array(exceptionData, { description: "The first 1,000; the CSV has all." }),
  }),
);

export const resolveBody = Type.Object({
  reason: Type.String({
    minLength: 1,
    maxLength: 2_000,
    pattern: "\\S",
    description: "Why the books differ and what was done. Kept in the audit trail.",
    examples: ["Paid by hand, bank letter of 16 November"],
  }),
});

export function presentReconciliation(run: Reconciliation): Static<typeof reconciliationData> {
  const { createdAt, completedAt, counts, totals, failure, ...rest } = run;
  return {
    ...rest,
    counts: counts === null ? null : { ...counts },
    totals: (totals ?? []).map(({ kind, orders, ledger, provider }) => ({
      kind,
      orders: nairaNumber(orders),
      ledger: nairaNumber(ledger),
      provider: nairaNumber(provider),
      ordersLessLedger: nairaNumber(subtract(orders, ledger)),
      ordersLessProvider: nairaNumber(subtract(orders, provider)),
    })),
    failure: failure === null ? null : { ...failure },
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
  };
}

const dayMs = 24 * 3_600_000;

export function presentException(exception: KeptException, now: Date): Static<typeof exceptionData> {
  const { id, kind, ours, theirs, firstSeenAt, closedAt, resolution } = exception;
  const until = resolution?.at ?? closedAt ?? now;
  const ageDays = Math.max(0, Math.floor((until.getTime() - firstSeenAt.getTime()) / dayMs));
  return {
    id,
    kind,
    ours: ours && {
      ...ours,
      amount: naira(ours.amount),
      fee: naira(ours.fee),
      ledger: nairaNumber(koboOf(ours.ledger)),
    },
    theirs: theirs && { ...theirs, amount: naira(theirs.amount), fee: naira(theirs.fee) },
    firstSeenAt: firstSeenAt.toISOString(),
    ageDays,
    closedAt: closedAt?.toISOString() ?? null,
    resolvedBy: resolution?.by ?? null,
    resolvedAt: resolution?.at.toISOString() ?? null,
    reason: resolution?.reason ?? null,
  };
}

function naira(digits: string | null): number | null {
  return digits === null ? null : nairaNumber(koboOf(digits));
}

export function koboOf(digits: string): Kobo {
  return kobo(BigInt(digits));
}
