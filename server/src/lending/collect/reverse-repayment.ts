/**
 * A repayment that turned out not to be one: a charge taken back, a wrong entry. The loan then stands as if it had
 * never been made: later money moves up, credit that is still there pays what is open, a completed loan is open again,
 * and instalments that are now unpaid after their grace bear their late fee.
 */
import { add } from "../../money/arithmetic.ts";
import { nairaNumber } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { Problem } from "../../platform/problem.ts";
import { changeLoan } from "../account/change-loan.ts";
import { lockLoan } from "../account/loan.ts";
import type { Announce } from "../account/loan-account.ts";
import { markReversed } from "../account/repayment-store.ts";
import { type LoanHistory, positionOf } from "../position/position.ts";
import { type Repayment, repaymentResource } from "../position/repayment.ts";
import { type PromisedRefund, passedBy, wayOf } from "../position/ways.ts";
import { followLostMoney } from "./age-loan.ts";
import { lendingProblem } from "./errors.ts";
import type { Promises } from "./refund-credit.ts";

export interface ReverseRepayment extends Promises {
  readonly accountId: string;
  readonly repaymentId: string;
  readonly reason: string;
  readonly announce: Announce;
}

/**
 * Reversing again changes nothing and returns the repayment as it is. Throws repayment_refunded where the money has
 * gone back the way it came, or is promised to, and lender_funds_short where it has been lent again.
 */
export async function reverseRepayment(
  tx: Tx,
  command: ReverseRepayment,
): Promise<{ readonly repayment: Repayment; readonly replayed: boolean }> {
  const { accountId, repaymentId, reason, announce } = command;
  const loan = await lockLoan(tx, accountId);
  const repayment = loan.history.repayments.find(({ id }) => id === repaymentId);
  if (repayment === undefined) throw lendingProblem("repayment_not_found");
  if (repayment.reversedAt !== null) return { repayment, replayed: true };
  const reversed = { ...repayment, reversedAt: tx.environment.clock.now(), reversalReason: reason };
  if (!(await markReversed(tx, reversed))) throw new Error(`repayment ${repaymentId} was not locked`);
  const repayments = loan.history.repayments.map((each) => (each === repayment ? reversed : each));
  const promises = command.promised === undefined ? [] : await command.promised(tx);
  refuseGivenBack(repayment, { ...loan.history, repayments }, promises);
  const resource = { type: repaymentResource, id: repaymentId, reference: repayment.reference };
  const booking = { kind: "loan.repayment_reversed", narration: `Repayment reversed: ${reason}`, resource };
  const after = await changeLoan(tx, loan, { history: { repayments } }, booking).catch(blameLender);
  await announce(tx, [{ what: "repayment_reversed", account: after.account, repayment: reversed }]);
  await followLostMoney(tx, after, announce);
  return { repayment: reversed, replayed: false };
}

/** Principal goes back out of the lender's funds, the only account that a reversal can find empty. */
function blameLender(error: unknown): never {
  if (!(error instanceof Problem && error.code === "insufficient_funds")) throw error;
  throw lendingProblem("lender_funds_short", { data: { short: error.data?.["short"] } });
}

/**
 * By its way no more may go back than came. A refund must also be borne by money that came before it, by whatever way,
 * or the loan would owe the borrower what it never had.
 */
function refuseGivenBack(repayment: Repayment, after: LoanHistory, promises: readonly PromisedRefund[]): void {
  const way = wayOf(repayment);
  const { came, went } = passedBy(after, promises, way);
  if (came >= went && positionOf(after).unborne === 0n) return;
  const paid = nairaNumber(add(came, repayment.amount));
  throw lendingProblem("repayment_refunded", { data: { channel: way.channel, paid, refunded: nairaNumber(went) } });
}
