/**
 * A batch is many payouts in one request. What can be paid is accepted in one transaction; the names of the holders
 * are checked by the worker before it sends, item by item. The batch is complete when its last item is final.
 */
import { type Kobo, nairaNumber } from "../../money/kobo.ts";
import { bankName } from "../../rails/bank-directory.ts";
import type { TransferStatus } from "../payouts/transfer.ts";

/** Who was to be paid, as far as it is known: an item that was rejected may lack any of it. */
export interface ItemRecipient {
  readonly accountNumber: string | null;
  readonly accountName: string | null;
  readonly bankCode: string | null;
  /** In naira. */
  readonly amount: number | null;
}

export interface RejectedItem {
  /** Its place in the request, from 0. What was left out follows the items. */
  readonly index: number;
  readonly reference: string;
  readonly code: string;
  readonly message: string;
}

/** As it is stored with its batch. Batches from before 0.4 do not say whom it was to pay. */
export type StoredRejection = RejectedItem & Partial<ItemRecipient>;

/** What became of one item of the request. */
export interface BatchItem extends ItemRecipient {
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
  readonly rejected: readonly StoredRejection[];
  /** Accepted items without an outcome. */
  readonly openCount: number;
  readonly version: number;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  readonly countsByStatus: Readonly<Record<TransferStatus, number>>;
}

export const batchResource = "transfer_batch";

export const mostBatchItems = 5_000;

export const nobodyNamed: ItemRecipient = { accountNumber: null, accountName: null, bankCode: null, amount: null };

/** The items in the order of the request: those that were rejected keep their places, the accepted fill the others. */
export function itemsInOrder(rejected: readonly StoredRejection[], accepted: readonly BatchItem[]): BatchItem[] {
  const items = [...accepted];
  for (const { index, ...item } of [...rejected].sort((left, right) => left.index - right.index)) {
    items.splice(index, 0, { ...nobodyNamed, ...item, id: null, status: "rejected" });
  }
  return items;
}

/** A batch as a list shows it: without its items. */
export function summarizeBatch(batch: Omit<TransferBatch, "rejected" | "countsByStatus">) {
  return {
    batchId: batch.id,
    batchReference: batch.batchReference,
    status: batch.completedAt === null ? ("processing" as const) : ("completed" as const),
    totalCount: batch.totalCount,
    acceptedCount: batch.acceptedCount,
    rejectedCount: batch.rejectedCount,
    openCount: batch.openCount,
    totalAmount: nairaNumber(batch.totalAmount),
    totalFee: nairaNumber(batch.totalFee),
    createdAt: batch.createdAt.toISOString(),
    completedAt: batch.completedAt?.toISOString() ?? null,
  };
}

/** A batch as it is read back and announced: its items and their number by state. */
export function presentBatch(batch: TransferBatch, items: readonly BatchItem[]) {
  return {
    ...summarizeBatch(batch),
    counts: { ...batch.countsByStatus },
    transfers: items.map((item) => ({
      ...item,
      bankName: item.bankCode === null ? null : bankName(item.bankCode),
    })),
  };
}
