/** What the console shows of a payout. The fields are those of the public API. */
export const transferStatuses = ["pending", "processing", "completed", "failed", "reversed"] as const;

export interface Transfer {
  readonly id: string;
  readonly reference: string;
  readonly batchId: string | null;
  readonly sourceAccountId: string;
  readonly accountNumber: string;
  readonly accountName: string | null;
  readonly bankName: string;
  readonly amount: number;
  readonly fee: number;
  readonly vat: number;
  readonly stampDuty: number;
  readonly totalDebit: number;
  readonly narration: string | null;
  readonly status: (typeof transferStatuses)[number];
  readonly sessionId: string | null;
  readonly failureReason: { readonly code: string; readonly message: string } | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly createdAt: string;
  readonly completedAt: string | null;
}

/** It will still change by itself. */
export function isUnderWay({ status }: { readonly status: string }): boolean {
  return status === "pending" || status === "processing";
}
