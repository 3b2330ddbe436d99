import type { TransferStatus } from "@jara/sdk";

export const transferStatuses: readonly TransferStatus[] = ["pending", "processing", "completed", "failed", "reversed"];

/** It will still change by itself. */
export function isUnderWay({ status }: { readonly status: string }): boolean {
  return status === "pending" || status === "processing";
}
