/** What the console shows of an approval. The fields are those of /approvals. */
import type { BankAnswer } from "../bulk/bank-names.ts";

type ApprovalStatus = "waiting" | "approved" | "rejected" | "expired";

export interface Approval {
  readonly id: string;
  readonly kind: "payout" | "batch";
  readonly status: ApprovalStatus;
  readonly reference: string;
  readonly amount: number;
  readonly payoutCount: number;
  readonly note: string | null;
  readonly requestedBy: string;
  readonly isOwn: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  readonly reason: string | null;
  readonly transferId: string | null;
  readonly batchId: string | null;
}

export interface OrderedPayout {
  readonly reference: string;
  readonly accountNumber: string;
  readonly bankCode: string;
  readonly bankName: string | null;
  readonly amount: number;
  readonly narration: string | null;
  readonly accountName: string | null;
}

export interface ApprovalDetail extends Approval {
  readonly payouts: readonly OrderedPayout[];
  readonly preview: Preview | null;
}

export interface Preview {
  readonly fee: number;
  readonly totalDebit: number;
  readonly available: number;
  readonly availableAfter: number;
  readonly bankSays: string | null;
  readonly refusal: string | null;
}

export interface Limit {
  readonly amount: number | null;
  readonly setBy: string | null;
  readonly setAt: string | null;
  readonly spent: number;
}

/** Whether the bank names somebody else than the asker expected, or nobody. The server compares the names. */
export function isOtherName(answer: BankAnswer | undefined): boolean {
  return answer !== undefined && ("refusal" in answer || answer.isOther);
}
