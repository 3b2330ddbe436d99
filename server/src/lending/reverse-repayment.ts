/**
 * A repayment that turned out not to be one: a charge taken back, a wrong entry. The loan then stands as if it had
 * never been made: later money moves up, credit that is still there pays what is open, a completed loan is open again,
 * and instalments that are now unpaid after their grace bear their late fee.
 */
import type { Tx } from "../platform/database.ts";
import { chargeLateFees } from "./age-loan.ts";
import { bookAgeing, changeLoan, settleStatus } from "./change-loan.ts";
import { lendingProblem } from "./errors.ts";
import { lockLoan } from "./loan.ts";
import { type Announce, type Repayment, repaymentResource } from "./loan-account.ts";
import { receivedMoney } from "./received-money.ts";
import { markReversed } from "./repayment-store.ts";

export interface ReverseRepayment {
  readonly accountId: string;
  readonly repaymentId: string;
  readonly reason: string;
  readonly announce: Announce;
}

/** Reversing again changes nothing and answers with the repayment as it is. */
export async function reverseRepayment(tx: Tx, command: ReverseRepayment): Promise<Repayment> {
  const { accountId, repaymentId, reason, announce } = command;
  const loan = await lockLoan(tx, accountId);
  const repayment = loan.history.repayments.find(({ id }) => id === repaymentId);
  if (repayment === undefined) throw lendingProblem("repayment_not_found");
  if (repayment.reversedAt !== null) return repayment;
  const reversed = { ...repayment, reversedAt: tx.environment.clock.now(), reversalReason: reason };
  if (!(await markReversed(tx, reversed))) throw new Error(`repayment ${repaymentId} was not locked`);
  const repayments = loan.history.repayments.map((each) => (each === repayment ? reversed : each));
  if (receivedMoney({ ...loan.history, repayments }).unborne > 0n) throw lendingProblem("repayment_refunded");
  const resource = { type: repaymentResource, id: repaymentId, reference: repayment.reference };
  const booking = { kind: "loan.repayment_reversed", narration: `Repayment reversed: ${reason}`, resource };
  const after = await changeLoan(tx, loan, { history: { repayments } }, booking);
  await announce(tx, { what: "repayment_reversed", account: after.account, repayment: reversed });
  const charged = after.position.closedAt === null ? await chargeLateFees(tx, after, announce) : after;
  await bookAgeing(tx, await settleStatus(tx, charged, announce));
  return reversed;
}
