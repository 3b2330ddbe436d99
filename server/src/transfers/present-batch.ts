import { nairaNumber } from "../money/kobo.ts";
import { type BatchItem, batchStatus, type TransferBatch } from "./batch.ts";

/** A batch as it is read back and announced: its items and their number by state. */
export function presentBatch(batch: TransferBatch, items: readonly BatchItem[]) {
  return {
    batchId: batch.id,
    batchReference: batch.batchReference,
    status: batchStatus(batch),
    totalCount: batch.totalCount,
    acceptedCount: batch.acceptedCount,
    rejectedCount: batch.rejectedCount,
    totalAmount: nairaNumber(batch.totalAmount),
    totalFee: nairaNumber(batch.totalFee),
    counts: { ...batch.countsByStatus },
    transfers: items.map((item) => ({ ...item })),
    createdAt: batch.createdAt.toISOString(),
    completedAt: batch.completedAt?.toISOString() ?? null,
  };
}
