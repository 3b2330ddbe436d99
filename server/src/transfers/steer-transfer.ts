/**
 * Ending a transfer by somebody's word: an operator with evidence from the bank, a developer in a sandbox, or a bank
 * that returns what it had paid. Each is a step of the transition table and none of them sends anything.
 */
import type { GroupCommit } from "../ledger/group-commit.ts";
import { runCommand } from "../ledger/run-command.ts";
import { type Database, type EnvironmentKind, inEnvironment, type Tx } from "../platform/database/database.ts";
import { commonProblem, type Problem } from "../platform/problem.ts";
import { cancelScheduled } from "../platform/work/agenda.ts";
import { transferProblem } from "./errors.ts";
import { findBySession } from "./settle-store.ts";
import { settleTransfer } from "./settle-transfer.ts";
import type { DisbursementSettled, SettleCommand } from "./settlement.ts";
import { canMove, type Transfer, type TransferStatus } from "./transfer.ts";
import { requeryTask } from "./transfer-order.ts";
import { findTransfer } from "./transfer-store.ts";

export interface SteerCommand {
  readonly id: string;
  readonly environment: EnvironmentKind;
  /** The only state to end it from; null for any that the table allows. */
  readonly from: TransferStatus | null;
  readonly to: SettleCommand["to"];
  /** Why it failed or came back; null for a success. */
  readonly failure: SettleCommand["failure"];
  readonly disbursementSettled?: DisbursementSettled | undefined;
}

/** Ends the transfer in the caller's transaction, or refuses with invalid_state. */
export async function steerTransfer(tx: Tx, command: SteerCommand): Promise<Transfer> {
  const found = await findTransfer(tx, command.id);
  if (found === undefined) throw transferProblem("transfer_not_found");
  const from = command.from ?? found.status;
  if (found.status !== from || !canMove(from, command.to)) throw wrongState(found);
  const settled = await runCommand(tx, settleTransfer, { ...command, from });
  // A worker was faster.
  if (settled === null) throw wrongState((await findTransfer(tx, command.id)) ?? found);
  await cancelScheduled(tx, requeryTask, [command.id]);
  return settled;
}

export function wrongState(transfer: Transfer): Problem {
  return commonProblem("invalid_state", {
    message: `The transfer is ${transfer.status}, which does not allow this.`,
    data: { status: transfer.status },
  });
}

export interface ReversalDependencies {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
  readonly disbursementSettled?: DisbursementSettled;
}

export interface Reversal {
  readonly environmentId: string;
  readonly environment: EnvironmentKind;
  readonly sessionId: string;
}

/**
 * The bank has returned a payment that it had made. Answers whether that is booked: a transfer that is not completed
 * yet must first learn that it was paid, so the notice has to come again.
 */
export async function reverseBySession(deps: ReversalDependencies, reversal: Reversal): Promise<boolean> {
  const { environmentId, environment, sessionId } = reversal;
  const found = await inEnvironment(deps.db, environmentId, (tx) => findBySession(tx, sessionId), { readOnly: true });
  if (found === undefined) throw transferProblem("transfer_not_found");
  // What failed was given back already, and what is reversed has been told before.
  if (found.status === "reversed" || found.status === "failed") return true;
  if (found.status !== "completed") return false;
  await deps.groupCommit.submit(environmentId, settleTransfer, {
    id: found.id,
    environment,
    from: "completed",
    to: "reversed",
    failure: { code: "reversed_by_bank", message: "The bank returned the payment." },
    disbursementSettled: deps.disbursementSettled,
  });
  return true;
}
