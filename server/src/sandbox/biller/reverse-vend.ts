/** A simulated biller that takes a delivery back, and tells us. */
import type { Database } from "../../platform/database/database.ts";
import type { TaskKind } from "../../platform/work/jobs.ts";
import { reversalNotice } from "../reversal-notice.ts";

export const vendReversalTask = "sandbox.reverse_vend";

export interface VendReversalNotice {
  readonly environmentId: string;
  /** All that a biller knows of a bill. */
  readonly requestId: string;
}

export interface VendReversalDependencies {
  readonly db: Database;
  /** Reverses in the biller's own books; false when there is nothing to reverse. */
  reverse(sandbox: string, requestId: string): Promise<boolean>;
  /** Returns whether we have booked it. While we still wait for the answer to the vend itself, we cannot. */
  takeReversal(notice: VendReversalNotice): Promise<boolean>;
}

export function vendReversalKind({ db, reverse, takeReversal }: VendReversalDependencies): TaskKind {
  const tell = (environmentId: string, requestId: string) => takeReversal({ environmentId, requestId });
  return reversalNotice(vendReversalTask, { db, reverse, tell });
}
