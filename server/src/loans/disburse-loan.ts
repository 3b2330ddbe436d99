/**
 * Paying a loan out. A try is a transfer from the lender's funding account; it is counted and named on the request in
 * the transaction that holds the money, so that there is never more than one. The transfer's outcome comes back in the
 * transaction that settles it: paid, the loan is disbursed; refused, the loan is approved as before and tried again
 * after a while, a few times by itself and after that by a person.
 */
import { disburseLoanAccount, returnDisbursement } from "../lending/disburse-loan-account.ts";
import { lenderFundingId } from "../lending/loan-account.ts";
import { cancelScheduled, schedule } from "../platform/agenda.ts";
import type { Sealer } from "../platform/crypto.ts";
import type { Tx } from "../platform/database.ts";
import { commonProblem } from "../platform/problem.ts";
import { bankName, findBank } from "../rails/bank-directory.ts";
import { bankRailFor, type Rails } from "../rails/registry.ts";
import { acceptDisbursement } from "../transfers/accept-disbursement.ts";
import type { DisbursementSettled } from "../transfers/settlement.ts";
import { announceLoan } from "./announce-loan.ts";
import { loanProblem } from "./errors.ts";
import type { LoanRequest } from "./loan-request.ts";
import { beginDisbursement, findLoanByDisbursement, nameAccount, setDisbursement } from "./loan-store.ts";
import { findHome, requireLoan } from "./read-loan.ts";
import { disburseTask } from "./tasks.ts";

const minuteMs = 60_000;
/** How long to wait after the first, second, … failed try. */
const retryAfterMs = [10 * minuteMs, 60 * minuteMs, 6 * 60 * minuteMs, 24 * 60 * minuteMs];
/** Tries that are made without a person. */
export const mostDisbursements = retryAfterMs.length + 1;

export interface DisbursingDependencies {
  readonly sealer: Sealer;
  readonly rails: Rails;
}

/** Why no try can be made at the moment: nothing is wrong with the loan, and later it may go. */
export const passingRefusals: readonly string[] = ["insufficient_funds", "rail_not_configured"];

/** Begins to pay an approved loan out. Throws invalid_state, loan_being_disbursed or one of the passing refusals. */
export async function disburseLoan(tx: Tx, { sealer, rails }: DisbursingDependencies, id: string): Promise<void> {
  const loan = await requireLoan(tx, sealer, id);
  const attempt = await beginDisbursement(tx, id);
  if (attempt === undefined) throw cannotDisburse(loan);
  const { kind } = await findHome(tx);
  bankRailFor(rails, kind);
  const transfer = await acceptDisbursement(tx, {
    reference: `${loan.reference}-${attempt}`,
    sourceAccountId: lenderFundingId(tx.environment.id),
    accountNumber: loan.accountNumber,
    bankCode: findBank(loan.bankCode, kind)?.code ?? loan.bankCode,
    amount: loan.amount,
    narration: `Loan ${loan.reference}`,
  });
  await setDisbursement(tx, id, transfer.id);
  await cancelScheduled(tx, disburseTask, [id]);
}

function cannotDisburse({ status, disbursementId }: LoanRequest) {
  if (status === "approved" && disbursementId !== null) return loanProblem("loan_being_disbursed");
  return commonProblem("invalid_state", {
    message: `The loan is ${status}; only an approved loan can be paid out.`,
    data: { status },
  });
}

/** What could not be begun counts as a try. */
export async function noteFailedTry(tx: Tx, id: string): Promise<void> {
  const attempt = await beginDisbursement(tx, id);
  if (attempt !== undefined) await retryLater(tx, id, attempt);
}

/** Takes the outcome of a disbursement, in its transaction. */
export function disbursementSettled(sealer: Sealer): DisbursementSettled {
  const announce = announceLoan(sealer);
  return async (tx, transfer) => {
    const loan = await findLoanByDisbursement(tx, sealer, transfer.id);
    if (loan === undefined) throw new Error(`disbursement ${transfer.id} pays no loan out`);
    const change = { accountId: loan.reference, announce };
    if (transfer.status === "completed") {
      await nameAccount(tx, loan.id, { bankName: bankName(transfer.bankCode), accountName: transfer.accountName });
      await disburseLoanAccount(tx, change);
      return;
    }
    if (transfer.status === "reversed") await returnDisbursement(tx, change);
    await setDisbursement(tx, loan.id, null);
    await retryLater(tx, loan.id, loan.disbursements);
  };
}

async function retryLater(tx: Tx, id: string, attempts: number): Promise<void> {
  const waitMs = retryAfterMs[attempts - 1];
  if (waitMs === undefined) return;
  const dueAt = new Date(tx.environment.clock.now().getTime() + waitMs);
  await schedule(tx, [{ kind: disburseTask, subject: id, dueAt }]);
}
