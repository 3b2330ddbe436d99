/**
 * A batch is many payouts in one request. What can be paid is accepted in one transaction; the names of the holders
 * are checked by the worker before it sends, item by item. The batch is complete when its last item is final.
 */
import { type Kobo, nairaNumber } from "../../money/kobo.ts";
import type { TransferStatus } from "../payouts/transfer.ts";

export interface RejectedItem {
  /** Its place in the request, from 0. */
  readonly index: number;
  readonly reference: string;
  readonly code: string;
  readonly message: string;
}

/** What became of one item of the request. */
export interface BatchItem {
  readonly reference: string;
  /** Null for an item that was rejected at once. */
  readonly id: string | null;
  readonly status: TransferStatus | "rejected";
  readonly code: string | null;
  readonly message: string | null;
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

export const mostBatchItems = 5_000;

/** The items in the order of the request: those that were rejected keep their places, the accepted fill the others. */
export function itemsInOrder(rejected: readonly RejectedItem[], accepted: readonly BatchItem[]): BatchItem[] {
  const items = [...accepted];
  for (const { index, reference, code, message } of [...rejected].sort((left, right) => left.index - right.index)) {
    items.splice(index, 0, { reference, id: null, status: "rejected", code, message });
  }
  return items;
}

function batchStatus(batch: TransferBatch): "processing" | "completed" {
  return batch.completedAt === null ? "processing" : "completed";
}

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
