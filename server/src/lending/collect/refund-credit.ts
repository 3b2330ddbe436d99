/** Gives a borrower back what was paid too much, through the channel that the merchant names. */
import { larger, subtract, sum } from "../../money/arithmetic.ts";
import { nairaNumber, zeroKobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import { claimReferences } from "../../platform/records/reference-claims.ts";
import { changeLoan } from "../account/change-loan.ts";
import { type Loan, lockLoan } from "../account/loan.ts";
import type { Announce } from "../account/loan-account.ts";
import { findRefund, insertRefund } from "../account/repayment-store.ts";
import { type CreditRefund, refundReferences, refundResource } from "../position/repayment.ts";
import { type PromisedRefund, passedBy, type Way } from "../position/ways.ts";
import { followLostMoney } from "./age-loan.ts";
import { lendingProblem } from "./errors.ts";
import { type MoneyCommand, refuseOther, walletOf } from "./take-money.ts";

export interface Promises {
  /** What is promised of the credit already. Asked once the account is locked, so that the answer holds. */
  readonly promised?: ((tx: Tx) => Promise<readonly PromisedRefund[]>) | undefined;
}

export interface RefundCredit extends MoneyCommand, Promises {
  /** Of a card: what the charge that is refunded had paid. */
  readonly repaymentId?: string;
  readonly announce: Announce;
}

export async function refundCredit(
  tx: Tx,
  command: RefundCredit,
): Promise<{ refund: CreditRefund; replayed: boolean }> {
  const { clock } = tx.environment;
  const { accountId, reference } = command;
  const id = clock.newId();
  const walletId = await walletOf(tx, command);
  const [holder] = await claimReferences(tx, refundReferences, [{ references: [reference], recordId: id }]);
  if (holder != null) return { refund: await replay(tx, holder, command, walletId), replayed: true };
  const asked = { channel: command.channel, walletId, repaymentId: command.repaymentId ?? null };
  const { loan, way } = await lockRefundable(tx, { ...command, ...asked });
  const refund = await book(tx, loan, { id, accountId, reference, ...way, amount: command.amount }, command);
  return { refund, replayed: false };
}

export interface PromisedCredit extends PromisedRefund {
  /** It has claimed the reference by this id. */
  readonly id: string;
  readonly accountId: string;
  readonly reference: string;
}

/**
 * Books a refund that was promised and has been made. Nothing refuses it any more: where a repayment was reversed since
 * and the credit is gone, the loan is owed what went back.
 */
export async function bookPromisedRefund(
  tx: Tx,
  { announce, ...made }: PromisedCredit & { readonly announce: Announce },
): Promise<CreditRefund> {
  return book(tx, await lockLoan(tx, made.accountId), made, { announce });
}

async function book(
  tx: Tx,
  loan: Loan,
  made: PromisedCredit,
  { announce }: { readonly announce: Announce },
): Promise<CreditRefund> {
  const refund = { ...made, sequence: loan.account.version + 1, refundedAt: tx.environment.clock.now() };
  await insertRefund(tx, refund);
  const change = { history: { refunds: [...loan.history.refunds, refund] } };
  const { id, reference } = made;
  const resource = { type: refundResource, id, reference };
  const booking = { kind: "loan.credit_refunded", narration: "Overpaid loan, refunded", id, resource };
  const refunded = await changeLoan(tx, loan, change, booking);
  await announce(tx, [{ what: "credit_refunded", account: refunded.account, refund }]);
  await followLostMoney(tx, refunded, announce);
  return refund;
}

/**
 * Locks the account of a loan whose credit can be given back this way: with a card and no charge named, by its charges
 * together. Returns it with the way that the money takes. Throws what stands in the way.
 */
export async function lockRefundable(
  tx: Tx,
  { accountId, promised, ...wanted }: PromisedRefund & Promises & { readonly accountId: string },
): Promise<{ loan: Loan; way: Way }> {
  const loan = await lockLoan(tx, accountId);
  const promises = promised === undefined ? [] : await promised(tx);
  const free = subtract(loan.position.credit, sum(promises.map(({ amount }) => amount)));
  const credit = larger(free, zeroKobo);
  if (credit < wanted.amount) throw lendingProblem("credit_too_small", { data: { credit: nairaNumber(credit) } });
  const { channel, walletId, repaymentId } = wanted;
  // Cash and bank transfers from before wallets stood for them go back as they came, to what the merchant owes.
  const ways = [walletId, ...(channel === "wallet" || channel === "card" ? [] : [null])];
  let refundable = zeroKobo;
  for (const way of ways.map((id) => ({ channel, walletId: id, repaymentId }))) {
    const { came, went } = passedBy(loan.history, promises, way);
    if (subtract(came, went) >= wanted.amount) return { loan, way };
    refundable = larger(refundable, subtract(came, went));
  }
  throw lendingProblem("refund_channel_mismatch", { data: { refundable: nairaNumber(refundable) } });
}

async function replay(tx: Tx, id: string, command: MoneyCommand, walletId: string | null): Promise<CreditRefund> {
  const earlier = await findRefund(tx, id);
  // Claimed for a refund to a card, whose outcome is owed or was a refusal.
  if (earlier === undefined) throw commonProblem("reference_conflict", { data: { fields: ["channel"] } });
  refuseOther(earlier, command, walletId);
  return earlier;
}
