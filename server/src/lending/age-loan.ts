/**
 * What time does to a loan. On an instalment's due date its interest and fees become income; when it is still unpaid
 * after the days of grace it is overdue and bears a late fee, once. The work is done by looking at the loan as it is,
 * so that doing it twice, late, or several due dates at once comes to the same.
 */
import { larger, multiplyRatio } from "../money/arithmetic.ts";
import type { Kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { bookAgeing, changeLoan, settleStatus } from "./change-loan.ts";
import { dueParts, type InstalmentPosition, isOverdue, type Parts } from "./instalment.ts";
import { isAfter, lagosDate } from "./lagos-date.ts";
import { type Loan, lockLoan } from "./loan.ts";
import { type Announce, isOpen } from "./loan-account.ts";
import { writeLateFee } from "./loan-account-store.ts";
import { type LoanProduct, rateUnit } from "./product.ts";
import { amountDue } from "./quote.ts";

/** A part of the whole instalment, paid or not, rounded half up, and at least the minimum. */
export function lateFeeOf({ lateFee }: LoanProduct, instalment: Pick<Parts, "principal" | "interest" | "fees">): Kobo {
  return larger(multiplyRatio(amountDue(instalment), lateFee.rate, rateUnit, "half_up"), lateFee.minimum);
}

export async function ageLoanAccount(
  tx: Tx,
  { accountId, announce }: { accountId: string; announce: Announce },
): Promise<void> {
  await ageLoan(tx, await lockLoan(tx, accountId), announce);
}

/** `loan` was locked by the caller. */
export async function ageLoan(tx: Tx, loan: Loan, announce: Announce): Promise<void> {
  if (!isOpen(loan.account.status)) return;
  const accrued = await accrueIncome(tx, loan);
  const charged = await chargeLateFees(tx, accrued, announce);
  await bookAgeing(tx, await settleStatus(tx, charged, announce));
}

async function accrueIncome(tx: Tx, loan: Loan): Promise<Loan> {
  let aged = loan;
  for (const { change, booking } of accrualsOf(loan, lagosDate(tx.environment.clock.now()))) {
    aged = await changeLoan(tx, aged, change, booking);
  }
  return aged;
}

/** One for each instalment that has become due. */
export function accrualsOf(loan: Loan, today: Temporal.PlainDate) {
  return loan.history.instalments
    .filter(({ number, dueDate }) => number > loan.account.accrued && !isAfter(dueDate, today))
    .map(({ number, dueDate }) => ({
      change: { account: { accrued: number } },
      booking: { kind: "loan.interest_due", narration: `Instalment ${number} due on ${dueDate}` },
    }));
}

/** Brings a loan up to date that money has left: what is unpaid after its grace because of it bears its late fee. */
export async function followLostMoney(tx: Tx, loan: Loan, announce: Announce): Promise<void> {
  const charged = loan.position.closedAt === null ? await chargeLateFees(tx, loan, announce) : loan;
  await bookAgeing(tx, await settleStatus(tx, charged, announce));
}

/** Charges every instalment that is overdue and has not been charged. */
async function chargeLateFees(tx: Tx, loan: Loan, announce: Announce): Promise<Loan> {
  const today = lagosDate(tx.environment.clock.now());
  const { product } = loan;
  let aged = loan;
  if (!takesLateFees(loan)) return loan;
  for (const instalment of loan.position.instalments) {
    if (!bearsLateFee(instalment, product.graceDays, today)) continue;
    aged = await chargeLateFee(tx, aged, instalment, announce);
  }
  return aged;
}

/** Whether a late fee is due that was not charged yet. */
export function bearsLateFee(instalment: InstalmentPosition, graceDays: number, today: Temporal.PlainDate): boolean {
  return instalment.lateFeeAt === null && isOverdue(instalment, graceDays, today);
}

function takesLateFees({ account: { status } }: Loan): boolean {
  return isOpen(status) || status === "completed";
}

async function chargeLateFee(tx: Tx, loan: Loan, position: InstalmentPosition, announce: Announce): Promise<Loan> {
  const { account, history, product } = loan;
  const { number } = position;
  const late = history.instalments.find((instalment) => instalment.number === number);
  if (late === undefined) throw new Error(`loan account ${account.id} has no instalment ${number}`);
  // What a refund took off the plan is not late.
  const amount = lateFeeOf(product, dueParts(position));
  if (amount === 0n) return loan;
  const charged = { ...late, lateFee: amount, lateFeeAt: account.version + 1 };
  if (!(await writeLateFee(tx, account.id, charged))) throw new Error(`instalment ${number} was charged twice`);
  const instalments = history.instalments.map((instalment) => (instalment === late ? charged : instalment));
  const booking = { kind: "loan.late_fee", narration: `Late fee for instalment ${number}` };
  const after = await changeLoan(tx, loan, { history: { instalments } }, booking);
  await announce(tx, { what: "late_fee_charged", account: after.account, instalment: number, amount });
  return after;
}
