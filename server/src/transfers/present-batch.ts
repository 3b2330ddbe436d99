import { nairaNumber } from "../money/kobo.ts";
import { batchStatus, type TransferBatch } from "./batch.ts";

/** A batch as it is read back and announced: counts by state, and what was refused at once. */
export function presentBatch(batch: TransferBatch) {
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
    rejected: batch.rejected.map((item) => ({ ...item })),
    createdAt: batch.createdAt.toISOString(),
    completedAt: batch.completedAt?.toISOString() ?? null,
  };
}
