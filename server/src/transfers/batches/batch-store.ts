import { sql } from "kysely";
import { kobo, nairaNumber } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { earliestIdFrom, idBeyond } from "../../platform/database/ids.ts";
import type { Row } from "../../platform/database/row.ts";
import { type PageRequest, type Pagination, paginationOf } from "../../platform/records/pagination.ts";
import { findByReference } from "../../platform/records/reference-claims.ts";
import type { SearchedKind } from "../../platform/records/search.ts";
import { batchReferences, type TransferStatus } from "../payouts/transfer.ts";
import { type BatchItem, itemsInOrder, mostBatchItems, type StoredRejection, type TransferBatch } from "./batch.ts";

export type NewBatch = TransferBatch & { readonly requestHash: Buffer };

export async function insertBatch(tx: Tx, batch: NewBatch): Promise<void> {
  await tx
    .insertInto("transfer_batches")
    .values({
      environment_id: tx.environment.id,
      id: batch.id,
      batch_reference: batch.batchReference,
      request_hash: batch.requestHash,
      total_count: batch.totalCount,
      accepted_count: batch.acceptedCount,
      rejected_count: batch.rejectedCount,
      open_count: batch.acceptedCount,
      total_amount: batch.totalAmount,
      total_fee: batch.totalFee,
      rejected: JSON.stringify(batch.rejected),
      created_at: batch.createdAt,
      completed_at: batch.completedAt,
    })
    .execute();
}

/** The batch with its items counted by state. */
export async function findBatch(
  tx: Tx,
  id: string,
): Promise<(TransferBatch & { readonly requestHash: Buffer }) | undefined> {
  const row = await tx
    .selectFrom("transfer_batches")
    .selectAll()
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const rejected = row.rejected as StoredRejection[];
  return { ...toSummary(row), requestHash: row.request_hash, rejected, countsByStatus: await countByStatus(tx, id) };
}

const summaryColumns = [
  "id",
  "batch_reference",
  "total_count",
  "accepted_count",
  "rejected_count",
  "open_count",
  "total_amount",
  "total_fee",
  "version",
  "created_at",
  "completed_at",
] as const;

function toSummary(row: Row<"transfer_batches", (typeof summaryColumns)[number]>): BatchSummary {
  return {
    id: row.id,
    batchReference: row.batch_reference,
    totalCount: row.total_count,
    acceptedCount: row.accepted_count,
    rejectedCount: row.rejected_count,
    openCount: row.open_count,
    totalAmount: kobo(row.total_amount),
    totalFee: kobo(row.total_fee),
    version: row.version,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  };
}

export type BatchSummary = Omit<TransferBatch, "rejected" | "countsByStatus">;

export interface BatchQuestion {
  readonly reference: string | null;
  readonly status: "processing" | "completed" | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Batches are few, a file at a time, so a page is counted and skipped to over the primary key. Newest first. */
export async function listBatches(
  tx: Tx,
  { reference, status, from, to }: BatchQuestion,
  { page, limit }: PageRequest,
): Promise<{ rows: BatchSummary[]; pagination: Pagination }> {
  const named = reference === null ? null : await findByReference(tx, batchReferences, reference);
  if (reference !== null && named === null) return { rows: [], pagination: paginationOf(0n, page, limit) };
  let found = tx.selectFrom("transfer_batches").where("environment_id", "=", tx.environment.id);
  if (named !== null) found = found.where("id", "=", named);
  if (status !== null) found = found.where("completed_at", status === "processing" ? "is" : "is not", null);
  if (from !== null) found = found.where("created_at", ">=", from).where("id", ">=", earliestIdFrom(from));
  if (to !== null) found = found.where("created_at", "<", to).where("id", "<", idBeyond(to));
  const counted = await found.select(({ fn }) => fn.countAll<bigint>().as("total")).executeTakeFirstOrThrow();
  const rows = await found
    .select(summaryColumns)
    .orderBy("id", "desc")
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { rows: rows.map(toSummary), pagination: paginationOf(counted.total, page, limit) };
}

/** Every item of a batch as it is now, in the order of the request. */
export async function readBatchItems(tx: Tx, batch: TransferBatch): Promise<BatchItem[]> {
  const rows = await tx
    .selectFrom("transfers")
    .select(["reference", "id", "status", "failure_code", "failure_message"])
    .select(["account_number", "account_name", "expected_name", "bank_code", "amount"])
    .where("environment_id", "=", tx.environment.id)
    .where("batch_id", "=", batch.id)
    .orderBy("list_position")
    .limit(mostBatchItems)
    .execute();
  const accepted = rows.map((row) => ({
    reference: row.reference,
    id: row.id,
    code: row.failure_code,
    message: row.failure_message,
    status: row.status as TransferStatus,
    accountNumber: row.account_number,
    accountName: row.account_name ?? row.expected_name,
    bankCode: row.bank_code,
    amount: nairaNumber(kobo(row.amount)),
  }));
  return itemsInOrder(batch.rejected, accepted);
}

async function countByStatus(tx: Tx, batchId: string): Promise<Record<TransferStatus, number>> {
  const rows = await tx
    .selectFrom("transfers")
    .select(["status", (count) => count.fn.countAll<bigint>().as("items")])
    .where("environment_id", "=", tx.environment.id)
    .where("batch_id", "=", batchId)
    .groupBy("status")
    .execute();
  const none = { pending: 0, processing: 0, completed: 0, failed: 0, reversed: 0 };
  return { ...none, ...Object.fromEntries(rows.map((row) => [row.status, Number(row.items)])) };
}

/** Counts items off a batch and returns whether that was the last of them. */
export async function countOff(tx: Tx, batchId: string, items: number): Promise<boolean> {
  const batch = await tx
    .updateTable("transfer_batches")
    .set((set) => ({ open_count: set("open_count", "-", items) }))
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", batchId)
    .returning(["open_count", "version"])
    .executeTakeFirstOrThrow();
  if (batch.open_count > 0) return false;
  await tx
    .updateTable("transfer_batches")
    .set({ completed_at: tx.environment.clock.now(), version: batch.version + 1 })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", batchId)
    .execute();
  return true;
}

/** What can be found of batches. */
export const searchedBatches: SearchedKind = {
  kind: "transfer_batch",
  table: "transfer_batches",
  scope: "transfers:read",
  path: "/transfers/bulk/{id}",
  title: sql`t.batch_reference`,
  details: sql`array[t.total_count || ' payouts']`,
  status: sql`case when t.completed_at is null then 'processing' else 'completed' end`,
  amountColumn: "total_amount",
  references: [batchReferences],
  newestBy: "id",
  text: sql`t.batch_reference`,
};
