/**
 * A repayment: money for a loan, under the merchant's reference. It pays the earliest open instalment first; what
 * closes the loan closes it, and what is beyond becomes credit.
 */
import type { Tx } from "../../platform/database/database.ts";
import { claimReferences } from "../../platform/records/reference-claims.ts";
import { bookAgeing, changeLoan, settleStatus, wrongState } from "../account/change-loan.ts";
import { type Loan, lockLoan } from "../account/loan.ts";
import { type Announce, isOpen } from "../account/loan-account.ts";
import { findRepayment, insertRepayment, mostRepayments } from "../account/repayment-store.ts";
import { type Repayment, repaymentReferences, repaymentResource } from "../position/repayment.ts";
import { type MoneyCommand, refuseOther, walletOf } from "./take-money.ts";

export interface RecordRepayment extends MoneyCommand {
  readonly announce: Announce;
}

/** Throws insufficient_funds when the wallet lacks the money, and invalid_state when nothing is to be repaid. */
export async function recordRepayment(
  tx: Tx,
  command: RecordRepayment,
): Promise<{ repayment: Repayment; replayed: boolean }> {
  const { clock } = tx.environment;
  const { accountId, amount, reference, channel, announce } = command;
  const id = clock.newId();
  const walletId = await walletOf(tx, command);
  const [holder] = await claimReferences(tx, repaymentReferences, [{ references: [reference], recordId: id }]);
  if (holder != null) return { repayment: await replay(tx, holder, command, walletId), replayed: true };
  const loan = await lockLoan(tx, accountId);
  refuseUnwanted(loan, command);
  const repayment: Repayment = {
    id,
    accountId,
    reference,
    channel,
    walletId,
    amount,
    number: loan.history.repayments.length + 1,
    sequence: loan.account.version + 1,
    recordedAt: clock.now(),
    reversedAt: null,
    reversalReason: null,
  };
  await insertRepayment(tx, repayment);
  const change = { history: { repayments: [...loan.history.repayments, repayment] } };
  const resource = { type: repaymentResource, id, reference };
  const booking = { kind: "loan.repayment", narration: "Loan repayment", id, resource };
  const repaid = await changeLoan(tx, loan, change, booking);
  await announce(tx, [{ what: "repaid", account: repaid.account, repayment }]);
  await bookAgeing(tx, await settleStatus(tx, repaid, announce));
  return { repayment, replayed: false };
}

async function replay(tx: Tx, id: string, command: MoneyCommand, walletId: string | null): Promise<Repayment> {
  const earlier = await findRepayment(tx, id);
  if (earlier === undefined) throw new Error(`repayment ${id} has a reference and no row`);
  refuseOther(earlier, command, walletId);
  return earlier;
}

/**
 * What a card has paid cannot be refused any more: after the loan's end it becomes credit, after a write-off it waits
 * in suspense.
 */
function refuseUnwanted({ account, history }: Loan, { channel }: MoneyCommand): void {
  const { status } = account;
  const ended = status === "completed" || status === "written_off";
  if (!isOpen(status) && !(ended && channel === "card")) throw wrongState(status);
  if (history.repayments.length >= mostRepayments) throw wrongState(status);
}
