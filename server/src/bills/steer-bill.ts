/**
 * Ending a bill by somebody's word: an operator with evidence from the biller, a developer in a sandbox, or a biller
 * that takes back what it had delivered. Each is a step of the transition table and none of them sends anything.
 */
import type { GroupCommit } from "../ledger/group-commit.ts";
import { runCommand } from "../ledger/run-command.ts";
import { type Database, type EnvironmentKind, inEnvironment, type Tx } from "../platform/database/database.ts";
import { commonProblem, type Problem } from "../platform/problem.ts";
import { cancelScheduled } from "../platform/work/agenda.ts";
import { sendTask } from "./accept-bill.ts";
import { type Bill, type BillStatus, canMove } from "./bill.ts";
import { requeryTask } from "./bill-order.ts";
import { findBill } from "./bill-store.ts";
import { billProblem } from "./errors.ts";
import { settleBill } from "./settle-bill.ts";
import type { SettleCommand } from "./settlement.ts";

export type SteerCommand = Omit<SettleCommand, "from">;

/** Ends the bill in the caller's transaction from the state it is in, or refuses with invalid_state. */
export async function steerBill(tx: Tx, command: SteerCommand): Promise<Bill> {
  const found = await findBill(tx, command.id);
  if (found === undefined) throw billProblem("bill_not_found");
  if (!canMove(found.status, command.to)) throw wrongState(found);
  const settled = await runCommand(tx, settleBill, { ...command, from: found.status });
  // A worker was faster.
  if (settled === null) throw wrongState((await findBill(tx, command.id)) ?? found);
  await cancelScheduled(tx, requeryTask, [command.id]);
  await cancelScheduled(tx, sendTask, [command.id]);
  return settled;
}

export function wrongState(bill: { readonly status: BillStatus }): Problem {
  return commonProblem("invalid_state", {
    message: `The bill is ${bill.status}, which does not allow this.`,
    data: { status: bill.status },
  });
}

export const reversedByBiller = { code: "reversed_by_biller", message: "The biller took the delivery back." } as const;

export interface ReversalDependencies {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
}

export interface Reversal {
  readonly environmentId: string;
  readonly environment: EnvironmentKind;
  /** The bill's id, by which the biller knows it. */
  readonly requestId: string;
}

/**
 * The biller has taken back what it had delivered. Answers whether that is booked: a bill that is not successful yet
 * must first learn that it was delivered, so the notice has to come again.
 */
export async function reverseByRequest(deps: ReversalDependencies, reversal: Reversal): Promise<boolean> {
  const { environmentId, environment, requestId } = reversal;
  const found = await inEnvironment(deps.db, environmentId, (tx) => findBill(tx, requestId), { readOnly: true });
  if (found === undefined) throw billProblem("bill_not_found");
  if (found.status === "reversed") return true;
  if (found.status !== "successful") return false;
  await deps.groupCommit.submit(environmentId, settleBill, {
    ...{ id: found.id, environment, from: "successful", to: "reversed" },
    ...{ failure: reversedByBiller, delivery: null },
  });
  return true;
}
