/**
 * Maker and checker. What people pay by hand is limited: an owner sets how much one person may take out of wallets
 * alone within 24 hours. Above it a payout or a batch is not sent but asked for, and a second person who may pay
 * decides; a bill, a repayment or a refund is refused. Keys are programs of the merchant's and are not limited here.
 *
 *   waiting ──▶ approved      by somebody else than the asker; the payout is accepted in the same transaction
 *      │   └──▶ rejected      by anybody who may pay, the asker too
 *      └······▶ expired       after seven days in the environment's time; nothing has to happen for that
 *
 * What was asked for is stored as it was asked and never changes. Whoever wants another amount asks again.
 */
import type { Kobo } from "../money/kobo.ts";
import type { Order } from "../transfers/order-desk.ts";
import { approvalProblem } from "./errors.ts";

export const approvalList = "approvals";

export const approvalStatuses = ["waiting", "approved", "rejected", "expired"] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

export interface Decider {
  readonly id: string;
  readonly email: string;
}

export interface Decision {
  readonly by: Decider;
  readonly at: Date;
  readonly reason: string | null;
}

export interface Approval {
  readonly id: string;
  readonly order: Order;
  readonly reference: string;
  readonly amount: Kobo;
  readonly payouts: number;
  readonly note: string | null;
  readonly requestedBy: Decider;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly storedStatus: Exclude<ApprovalStatus, "expired">;
  readonly decision: Decision | null;
  readonly transferId: string | null;
  readonly batchId: string | null;
}

const lifeMs = 7 * 86_400_000;

export function expiryOf(createdAt: Date): Date {
  return new Date(createdAt.getTime() + lifeMs);
}

export function statusAt({ storedStatus, expiresAt }: Approval, now: Date): ApprovalStatus {
  return storedStatus === "waiting" && expiresAt <= now ? "expired" : storedStatus;
}

/** Throws unless the approval is still to be decided. */
export function requireWaiting(approval: Approval, now: Date): void {
  const status = statusAt(approval, now);
  if (status === "expired") throw approvalProblem("approval_expired");
  if (status !== "waiting") throw approvalProblem("approval_decided", { data: { status } });
}

/** Throws unless this person may agree to it. That they may pay at all was the guard's question. */
export function requireSecondPerson({ requestedBy }: Approval, { id }: Decider): void {
  if (requestedBy.id === id) throw approvalProblem("approval_own");
}
