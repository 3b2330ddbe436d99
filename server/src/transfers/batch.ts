/**
 * A batch is many payouts in one request. What can be paid is accepted in one transaction; the names of the holders
 * are checked by the worker before it sends, item by item. The batch is complete when its last item is final.
 */
import type { Kobo } from "../money/kobo.ts";
import type { TransferStatus } from "./transfer.ts";

export interface RejectedItem {
  readonly reference: string;
  readonly code: string;
  readonly message: string;
}

export interface TransferBatch {
  readonly id: string;
  readonly batchReference: string;
  readonly totalCount: number;
  readonly acceptedCount: number;
  readonly rejectedCount: number;
  readonly totalAmount: Kobo;
  readonly totalFee: Kobo;
  readonly rejected: readonly RejectedItem[];
  readonly version: number;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  readonly countsByStatus: Readonly<Record<TransferStatus, number>>;
}

export const batchResource = "transfer_batch";
/** The namespace of batch references. */
export const batchReferences = "transfer_batches";

export function batchStatus(batch: TransferBatch): "processing" | "completed" {
  return batch.completedAt === null ? "processing" : "completed";
}
