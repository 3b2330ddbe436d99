import type { Tx } from "../platform/database/database.ts";
import type { JudgedOrder, Order } from "../transfers/order-desk.ts";
import { type Approval, type Decider, expiryOf } from "./approval.ts";
import { insertApproval } from "./approval-store.ts";

interface Asking {
  readonly order: Order;
  readonly judged: JudgedOrder;
  readonly by: Decider;
  readonly note: string | null;
}

/** Stores the order as it was asked. Nothing is held for it: money is looked for when somebody agrees. */
export async function askApproval(tx: Tx, { order, judged, by, note }: Asking): Promise<Approval> {
  const { clock } = tx.environment;
  const createdAt = clock.now();
  const approval: Approval = {
    id: clock.newId(),
    order,
    reference: judged.reference,
    amount: judged.amount,
    payouts: judged.payouts.length,
    note,
    requestedBy: by,
    createdAt,
    expiresAt: expiryOf(createdAt),
    storedStatus: "waiting",
    decision: null,
    transferId: null,
    batchId: null,
  };
  await insertApproval(tx, approval);
  return approval;
}
