import type { Tx } from "../../platform/database/database.ts";
import { recordEvents } from "../../platform/records/outbox.ts";
import type { Transfer } from "../payouts/transfer.ts";
import { batchResource, presentBatch } from "./batch.ts";
import { countOff, findBatch, readBatchItems } from "./batch-store.ts";

/** Counts settled items off their batches; a batch whose last item is settled is complete, and that is an event. */
export async function closeBatches(tx: Tx, settled: readonly Transfer[]): Promise<void> {
  // A reversal comes after its item was counted off.
  const counted = settled.filter(({ batchId, status }) => batchId !== null && status !== "reversed");
  const byBatch = Map.groupBy(counted, ({ batchId }) => batchId ?? "");
  for (const batchId of [...byBatch.keys()].sort()) {
    const complete = await countOff(tx, batchId, byBatch.get(batchId)?.length ?? 0);
    if (complete) await announceBatch(tx, batchId);
  }
}

/** The batch is complete: its event carries the record as GET shows it. */
export async function announceBatch(tx: Tx, batchId: string): Promise<void> {
  const batch = await findBatch(tx, batchId);
  if (batch === undefined) throw new Error(`batch ${batchId} vanished`);
  await recordEvents(tx, [
    {
      event: "transfer.batch.completed",
      resourceType: batchResource,
      resourceId: batch.id,
      resourceVersion: batch.version,
      data: presentBatch(batch, await readBatchItems(tx, batch)),
    },
  ]);
}
