/**
 * Deciding. The approval is locked, looked at again, its order accepted and the decision written in one transaction: of
 * two who agree at once one pays, and a server that is killed has either done all of it or nothing.
 */
import type { Tx } from "../platform/database/database.ts";
import type { Payer } from "../transfers/create-transfer.ts";
import type { OrderDesk } from "../transfers/order-desk.ts";
import { type Approval, type Decider, requireSecondPerson, requireWaiting } from "./approval.ts";
import { decideApproval, findApproval, lockApproval } from "./approval-store.ts";
import { approvalProblem } from "./errors.ts";

export async function requireApproval(tx: Tx, id: string): Promise<Approval> {
  const found = await findApproval(tx, id);
  if (found === undefined) throw approvalProblem("approval_not_found");
  return found;
}

interface Agreeing {
  readonly payer: Payer;
  readonly by: Decider;
  /** As it was read before the bank was asked. */
  readonly approval: Approval;
}

/** Asks the bank, then returns what agrees in a transaction. What is paid is what was asked for, never what is sent now. */
export async function prepareApproval(desk: OrderDesk, { payer, by, approval }: Agreeing) {
  const accept = await desk.prepare(payer, approval.order);
  return async (tx: Tx): Promise<Approval> => {
    const locked = await lock(tx, approval.id);
    requireSecondPerson(locked, by);
    const accepted = await accept(tx);
    return decideApproval(tx, locked.id, { status: "approved", by, reason: null, ...accepted });
  };
}

/** The asker may take it back in this way too. */
export async function rejectApproval(
  tx: Tx,
  { id, by, reason }: { readonly id: string; readonly by: Decider; readonly reason: string | null },
): Promise<Approval> {
  const { id: locked } = await lock(tx, id);
  return decideApproval(tx, locked, { status: "rejected", by, reason, transferId: null, batchId: null });
}

async function lock(tx: Tx, id: string): Promise<Approval> {
  const locked = await lockApproval(tx, id);
  if (locked === undefined) throw approvalProblem("approval_not_found");
  requireWaiting(locked, tx.environment.clock.now());
  return locked;
}
