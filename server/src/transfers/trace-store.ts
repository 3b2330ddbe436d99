/** What traces read of transfers and batches. */
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { TracedKind } from "../platform/records/trace.ts";
import { disbursementReferences, type Transfer } from "./transfer.ts";
import { type TransferRow, toTransfer, transferColumns } from "./transfer-store.ts";

export const tracedTransfers: readonly TracedKind[] = [
  {
    kind: "transfer",
    table: "transfers",
    // A disbursement is part of its loan, whose account begins its reference.
    partOf: sql`case when purpose = 'disbursement' then left(reference, 36)::uuid end`,
  },
  { kind: "batch", table: "transfer_batches" },
];

export interface TracedTransfer {
  readonly transfer: Transfer;
  readonly sentAt: Date | null;
  readonly queries: number;
}

type TracedRow = TransferRow & { readonly sent_at: Date | null; readonly queries: number };

export async function readTransfersOf(tx: Tx, ids: readonly string[]): Promise<TracedTransfer[]> {
  const rows = await tx
    .selectFrom("transfers")
    .select([...transferColumns, "sent_at", "queries"])
    .where("environment_id", "=", tx.environment.id)
    .where("id", "in", ids)
    .orderBy("id")
    .limit(ids.length)
    .execute();
  return rows.map(toTraced);
}

/** What became of the items of a batch, as far as it was not the best. */
export async function readFailedItems(tx: Tx, batchIds: readonly string[], limit: number): Promise<TracedTransfer[]> {
  const rows = await tx
    .selectFrom("transfers")
    .select([...transferColumns, "sent_at", "queries"])
    .where("environment_id", "=", tx.environment.id)
    .where("batch_id", "in", batchIds)
    .where("status", "in", ["failed", "reversed"])
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(toTraced);
}

function toTraced(row: TracedRow): TracedTransfer {
  return { transfer: toTransfer(row), sentAt: row.sent_at, queries: row.queries };
}

/** More tries than a person makes. */
const mostTries = 50;

/** The disbursements of loan accounts: each was claimed under the account's id and the number of the try. */
export async function findDisbursementsOf(tx: Tx, accountIds: readonly string[]): Promise<string[]> {
  const found = await sql<{ record_id: string }>`
    select c.record_id from unnest(${accountIds}::text[]) as account (id)
    cross join generate_series(1, ${mostTries}) as try (number)
    join reference_claims c on c.environment_id = ${tx.environment.id} and c.kind = ${disbursementReferences}
      and c.reference = account.id || '-' || try.number`.execute(tx);
  return found.rows.map((row) => row.record_id);
}
