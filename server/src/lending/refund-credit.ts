/** Gives a borrower back what was paid too much, through the channel that the merchant names. */
import { larger, subtract, sum } from "../money/arithmetic.ts";
import { type Kobo, nairaNumber, zeroKobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database.ts";
import { claimReferences } from "../platform/reference-claims.ts";
import { changeLoan } from "./change-loan.ts";
import { lendingProblem } from "./errors.ts";
import { lockLoan } from "./loan.ts";
import { type Announce, type CreditRefund, refundReferences, refundResource } from "./loan-account.ts";
import { type Channelled, channelAccount } from "./loan-ledger.ts";
import type { LoanHistory } from "./position.ts";
import { findRefund, insertRefund } from "./repayment-store.ts";
import { type MoneyCommand, refuseOther, walletOf } from "./take-money.ts";

export interface RefundCredit extends MoneyCommand {
  readonly announce: Announce;
}

export async function refundCredit(
  tx: Tx,
  command: RefundCredit,
): Promise<{ refund: CreditRefund; replayed: boolean }> {
  const { clock } = tx.environment;
  const { accountId, amount, reference, channel, announce } = command;
  const id = clock.newId();
  const walletId = await walletOf(tx, command);
  const [holder] = await claimReferences(tx, refundReferences, [{ references: [reference], recordId: id }]);
  if (holder != null) return { refund: await replay(tx, holder, command, walletId), replayed: true };
  const loan = await lockLoan(tx, accountId);
  const { credit } = loan.position;
  if (credit < amount) throw lendingProblem("credit_too_small", { data: { credit: nairaNumber(credit) } });
  const refundable = paidThrough(tx, loan.history, { channel, walletId });
  if (refundable < amount) {
    throw lendingProblem("refund_channel_mismatch", { data: { refundable: nairaNumber(refundable) } });
  }
  const refund: CreditRefund = {
    ...{ id, accountId, reference, channel, walletId, amount },
    sequence: loan.account.version + 1,
    refundedAt: clock.now(),
  };
  await insertRefund(tx, refund);
  const change = { history: { refunds: [...loan.history.refunds, refund] } };
  const resource = { type: refundResource, id, reference };
  const booking = { kind: "loan.credit_refunded", narration: "Overpaid loan, refunded", id, resource };
  const refunded = await changeLoan(tx, loan, change, booking);
  await announce(tx, { what: "credit_refunded", account: refunded.account, refund });
  return { refund, replayed: false };
}

/**
 * What came through a channel and has not gone back. Money goes back the way it came: a cash payment that the merchant
 * only reported must not become money in a wallet. What the merchant refunded of the order does not count as having
 * come, for it is owed to the borrower; since refunds never exceed the amount lent, credit never exceeds what the
 * borrower has paid, and all of it can go back the way the borrower paid.
 */
function paidThrough(tx: Tx, { repayments, refunds }: LoanHistory, way: Channelled): Kobo {
  const account = channelAccount(tx.environment.id, way);
  const sameWay = (money: Channelled): boolean => channelAccount(tx.environment.id, money) === account;
  const came = repayments.filter((repayment) => repayment.reversedAt === null && sameWay(repayment));
  const went = refunds.filter(sameWay);
  const left = subtract(sum(came.map((repayment) => repayment.amount)), sum(went.map((refund) => refund.amount)));
  // Less than nothing: a repayment was reversed after its credit, which a refunded order had made, was given back.
  return larger(left, zeroKobo);
}

async function replay(tx: Tx, id: string, command: MoneyCommand, walletId: string | null): Promise<CreditRefund> {
  const earlier = await findRefund(tx, id);
  if (earlier === undefined) throw new Error(`refund ${id} has a reference and no row`);
  refuseOther(earlier, command, walletId);
  return earlier;
}
