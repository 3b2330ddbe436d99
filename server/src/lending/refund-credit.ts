/** Gives a borrower back what was paid too much, through the channel that the merchant names. */
import { larger, subtract, sum } from "../money/arithmetic.ts";
import { type Kobo, nairaNumber, zeroKobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database.ts";
import { commonProblem } from "../platform/problem.ts";
import { claimReferences } from "../platform/reference-claims.ts";
import { changeLoan } from "./change-loan.ts";
import { lendingProblem } from "./errors.ts";
import { type Loan, lockLoan } from "./loan.ts";
import { type Announce, type CreditRefund, refundReferences, refundResource } from "./loan-account.ts";
import { type Channelled, channelAccount } from "./loan-ledger.ts";
import type { LoanHistory } from "./position.ts";
import { findRefund, insertRefund } from "./repayment-store.ts";
import { type MoneyCommand, refuseOther, walletOf } from "./take-money.ts";

/** Money that somebody has promised and not booked yet: it can be promised to nobody else. */
export interface PromisedRefund extends Channelled {
  readonly amount: Kobo;
}

interface Promises {
  /** What is promised of the credit already. Asked once the account is locked, so that the answer holds. */
  readonly promised?: (tx: Tx) => Promise<readonly PromisedRefund[]>;
}

export interface RefundCredit extends MoneyCommand, Promises {
  /** That of a refund which was promised before and has claimed its reference by it; a new one unless given. */
  readonly id?: string;
  readonly announce: Announce;
}

export async function refundCredit(
  tx: Tx,
  command: RefundCredit,
): Promise<{ refund: CreditRefund; replayed: boolean }> {
  const { clock } = tx.environment;
  const { accountId, amount, reference, channel, announce } = command;
  const id = command.id ?? clock.newId();
  const walletId = await walletOf(tx, command);
  const [holder] = await claimReferences(tx, refundReferences, [{ references: [reference], recordId: id }]);
  if (holder != null) return { refund: await replay(tx, holder, command, walletId), replayed: true };
  const loan = await lockRefundable(tx, { ...command, walletId });
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

/** Locks the account of a loan whose credit can be given back this way. Throws what stands in the way. */
export async function lockRefundable(
  tx: Tx,
  { accountId, promised, ...wanted }: PromisedRefund & Promises & { readonly accountId: string },
): Promise<Loan> {
  const loan = await lockLoan(tx, accountId);
  const promises = promised === undefined ? [] : await promised(tx);
  const free = subtract(loan.position.credit, sum(promises.map(({ amount }) => amount)));
  const credit = larger(free, zeroKobo);
  if (credit < wanted.amount) throw lendingProblem("credit_too_small", { data: { credit: nairaNumber(credit) } });
  const refundable = paidThrough(tx, loan.history, promises, wanted);
  if (refundable >= wanted.amount) return loan;
  throw lendingProblem("refund_channel_mismatch", { data: { refundable: nairaNumber(refundable) } });
}

/**
 * What came through a channel and has not gone back. Money goes back the way it came: a cash payment that the merchant
 * only reported must not become money in a wallet. What the merchant refunded of the order does not count as having
 * come, for it is owed to the borrower; since refunds never exceed the amount lent, credit never exceeds what the
 * borrower has paid, and all of it can go back the way the borrower paid.
 */
function paidThrough(
  tx: Tx,
  { repayments, refunds }: LoanHistory,
  promises: readonly PromisedRefund[],
  way: Channelled,
): Kobo {
  const account = channelAccount(tx.environment.id, way);
  const sameWay = (money: Channelled): boolean => channelAccount(tx.environment.id, money) === account;
  const came = repayments.filter((repayment) => repayment.reversedAt === null && sameWay(repayment));
  const went = [...refunds, ...promises].filter(sameWay);
  const left = subtract(sum(came.map((repayment) => repayment.amount)), sum(went.map((refund) => refund.amount)));
  // Less than nothing: a repayment was reversed after its credit, which a refunded order had made, was given back.
  return larger(left, zeroKobo);
}

async function replay(tx: Tx, id: string, command: MoneyCommand, walletId: string | null): Promise<CreditRefund> {
  const earlier = await findRefund(tx, id);
  // Claimed for a refund to a card, whose outcome is owed or was a refusal.
  if (earlier === undefined) throw commonProblem("reference_conflict", { data: { fields: ["channel"] } });
  refuseOther(earlier, command, walletId);
  return earlier;
}
