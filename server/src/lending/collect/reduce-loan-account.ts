/**
 * The merchant refunds an order, in whole or in part: money from the merchant's wallet takes principal off the
 * borrower's plan (see `plan-reduction.ts`), and sets free what was prepaid of it (`freePrepaid`). Nothing takes a
 * refund back. What is more than the loan is the borrower's credit, which `refundCredit` gives back the way the
 * borrower paid.
 */

import { type Kobo, nairaNumber } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { keysOf } from "../../platform/keys-of.ts";
import { commonProblem } from "../../platform/problem.ts";
import { claimReferences } from "../../platform/records/reference-claims.ts";
import { bookAgeing, changeLoan, settleStatus, wrongState } from "../account/change-loan.ts";
import { type Loan, lockLoan } from "../account/loan.ts";
import { type Announce, isOpen } from "../account/loan-account.ts";
import { refundableOf } from "../account/read-loan-account.ts";
import { findReduction, insertReduction, mostReductions } from "../account/reduction-store.ts";
import { type Reduction, reductionReferences, reductionResource } from "../position/repayment.ts";
import { lendingProblem } from "./errors.ts";
import { payingWallet } from "./take-money.ts";

export interface ReduceLoanAccount {
  readonly accountId: string;
  readonly amount: Kobo;
  /** The merchant's, used once in the environment among reductions. */
  readonly reference: string;
  readonly reason: string;
  /** A wallet of the merchant's; the main one unless another is named. */
  readonly walletId?: string | undefined;
  readonly announce: Announce;
}

/**
 * Throws refund_exceeds_loan beyond the amount lent, insufficient_funds when the wallet lacks the money, and
 * invalid_state where no money is out: cancel a loan that was not paid out.
 */
export async function reduceLoanAccount(
  tx: Tx,
  command: ReduceLoanAccount,
): Promise<{ reduction: Reduction; replayed: boolean }> {
  const { clock } = tx.environment;
  const { accountId, amount, reference, reason, announce } = command;
  const id = clock.newId();
  const walletId = await payingWallet(tx, command.walletId);
  const [holder] = await claimReferences(tx, reductionReferences, [{ references: [reference], recordId: id }]);
  if (holder != null) return { reduction: await replay(tx, holder, { ...command, walletId }), replayed: true };
  const loan = await lockLoan(tx, accountId);
  refuseUnwanted(loan, amount);
  const stamp = { sequence: loan.account.version + 1, recordedAt: clock.now() };
  const reduction: Reduction = { id, accountId, reference, reason, walletId, amount, ...stamp };
  await insertReduction(tx, reduction);
  const change = { history: { reductions: [...loan.history.reductions, reduction] } };
  const resource = { type: reductionResource, id, reference };
  const booking = { kind: "loan.reduced", narration: "Order refunded", id, resource };
  const reduced = await changeLoan(tx, loan, change, booking);
  await announce(tx, [{ what: "reduced", account: reduced.account, reduction }]);
  await bookAgeing(tx, await settleStatus(tx, reduced, announce));
  return { reduction, replayed: false };
}

function refuseUnwanted(loan: Loan, amount: Kobo): void {
  const { status } = loan.account;
  if (!isOpen(status) && status !== "completed") throw wrongState(status);
  const refundable = refundableOf(loan);
  if (amount > refundable)
    throw lendingProblem("refund_exceeds_loan", { data: { refundable: nairaNumber(refundable) } });
  if (loan.history.reductions.length >= mostReductions) throw wrongState(status);
}

/** What a caller sent, by its names on the wire. */
const wireNames = {
  accountId: "loan_id",
  amount: "amount",
  reason: "reason",
  walletId: "wallet_id",
} as const satisfies Partial<Record<keyof Reduction, string>>;

async function replay(tx: Tx, id: string, wanted: ReduceLoanAccount & { walletId: string }): Promise<Reduction> {
  const earlier = await findReduction(tx, id);
  if (earlier === undefined) throw new Error(`reduction ${id} has a reference and no row`);
  const compared = keysOf(wireNames);
  const fields = compared.filter((field) => earlier[field] !== wanted[field]).map((field) => wireNames[field]);
  if (fields.length > 0) throw commonProblem("reference_conflict", { data: { fields } });
  return earlier;
}
