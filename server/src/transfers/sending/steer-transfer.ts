/** Ending a transfer by somebody's word (`rails/steer-order.ts`). */
import type { GroupCommit } from "../../ledger/group-commit.ts";
import { runCommand } from "../../ledger/run-command.ts";
import type { Database } from "../../platform/database/database.ts";
import { type SteerKind, takeBack } from "../../rails/steer-order.ts";
import { sendTask } from "../payouts/accept-transfer.ts";
import { transferProblem } from "../payouts/errors.ts";
import { canMove, type Transfer } from "../payouts/transfer.ts";
import { findBySession, findTransfer } from "../payouts/transfer-store.ts";
import type { DisbursementSettled, SettleCommand } from "./settle-transfer.ts";
import { settleTransfer } from "./settle-transfer.ts";
import { requeryTask } from "./transfer-order.ts";

export type TransferStep = Pick<SettleCommand, "to" | "failure">;

/** Transfers of both purposes. The outcomes of disbursements are told to `disbursementSettled`. */
export function transferSteering(disbursementSettled?: DisbursementSettled): SteerKind<Transfer, TransferStep> {
  return {
    noun: "transfer",
    tasks: [requeryTask, sendTask],
    find: findTransfer,
    notFound: () => transferProblem("transfer_not_found"),
    canMove,
    settle: (tx, { id, status: from }, step) =>
      runCommand(tx, settleTransfer, { id, from, ...step, disbursementSettled }),
  };
}

export const reversedByBank = { code: "reversed_by_bank", message: "The bank returned the payment." } as const;

export interface ReversalDependencies {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
  readonly disbursementSettled?: DisbursementSettled;
}

export interface Reversal {
  readonly environmentId: string;
  /** By which the bank knows the payment. */
  readonly sessionId: string;
}

/** The bank has returned a payment that it had made. Returns whether that is booked. */
export function reverseBySession(
  { db, groupCommit, disbursementSettled }: ReversalDependencies,
  { environmentId, sessionId }: Reversal,
): Promise<boolean> {
  return takeBack<Transfer>(db, environmentId, {
    find: (tx) => findBySession(tx, sessionId),
    notFound: () => transferProblem("transfer_not_found"),
    done: "completed",
    settle: ({ id }) => {
      const step = { from: "completed", to: "reversed", failure: reversedByBank } as const;
      return groupCommit.submit(environmentId, settleTransfer, { id, ...step, disbursementSettled });
    },
  });
}
