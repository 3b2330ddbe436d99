/** The exceptions of a run as a file. Texts of merchants and providers are made harmless. */
import { nairaString } from "../money/kobo.ts";
import { csvRow, foreignText } from "../platform/http/csv.ts";
import type { KeptException } from "./reconciliation.ts";
import { koboOf, presentException } from "./schemas.ts";

export const exceptionCsvHeader = csvRow([
  "id",
  "kind",
  "ourType",
  "ourId",
  "environmentId",
  "ourReference",
  "ourStatus",
  "ourAmount",
  "ourFee",
  "ledger",
  "sentAt",
  "orderId",
  "providerReference",
  "theirStatus",
  "theirWord",
  "theirAmount",
  "theirFee",
  "theirCreatedAt",
  "firstSeenAt",
  "ageDays",
  "closedAt",
  "resolvedBy",
  "resolvedAt",
  "reason",
]);

export function exceptionCsvLine(exception: KeptException, now: Date): string {
  const { id, kind, ours, theirs } = exception;
  const shown = presentException(exception, now);
  const amount = (digits: string | null | undefined) => (digits == null ? "" : nairaString(koboOf(digits)));
  return csvRow([
    id,
    kind,
    ours?.type ?? "",
    ours?.id ?? "",
    ours?.environmentId ?? "",
    foreignText(ours?.reference ?? ""),
    ours?.status ?? "",
    amount(ours?.amount),
    amount(ours?.fee),
    amount(ours?.ledger),
    ours?.sentAt ?? "",
    foreignText(ours?.orderId ?? theirs?.orderId ?? ""),
    foreignText(theirs?.providerReference ?? ""),
    theirs?.status ?? "",
    foreignText(theirs?.word ?? ""),
    amount(theirs?.amount),
    amount(theirs?.fee),
    theirs?.createdAt ?? "",
    shown.firstSeenAt,
    String(shown.ageDays),
    shown.closedAt ?? "",
    foreignText(shown.resolvedBy ?? ""),
    shown.resolvedAt ?? "",
    foreignText(shown.reason ?? ""),
  ]);
}

/** What the documents show. */
export const exampleException: KeptException = {
  id: "01932c61-2b3c-7d4e-8f50-617283940a5b",
  connectionId: "01932c60-1d2e-7a3b-8c4d-5e6f70819203",
  date: "2026-11-15",
  kind: "missing_at_provider",
  ours: {
    type: "transfer",
    id: "01932c61-2b3c-7d4e-8f50-617283940a5c",
    environmentId: "01932c60-1d2e-7a3b-8c4d-5e6f70819204",
    orderId: "999001261115101500000000000042",
    reference: "order-1",
    status: "success",
    amount: "250000",
    fee: "1000",
    ledger: "250000",
    sentAt: "2026-11-15T09:15:00.000Z",
  },
  theirs: null,
  firstSeenAt: new Date("2026-11-16T01:00:00.000Z"),
  closedAt: null,
  resolution: null,
};
