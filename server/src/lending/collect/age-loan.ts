/**
 * What time does to a loan. On an instalment's due date its interest and fees become income; when it is still unpaid
 * after the days of grace it is overdue and bears a late fee, once. The work is done by looking at the loan as it is,
 * so that doing it twice, late, or several due dates at once comes to the same.
 *
 * It is planned in memory and written afterwards, so that the loans of one moment are written together.
 */
import { type Posting, postBatch } from "../../ledger/post.ts";
import type { Tx } from "../../platform/database/database.ts";
import { isAfter, lagosDate } from "../../platform/time/lagos-date.ts";
import { type Booking, bookAgeing, type Change, planChange, settleStatus } from "../account/change-loan.ts";
import type { Loan } from "../account/loan.ts";
import { type Announce, isOpen, type LoanChange } from "../account/loan-account.ts";
import { updateAgedAccounts, writeLateFees } from "../account/loan-account-store.ts";
import { dueParts, type InstalmentPosition, isOverdue, type ScheduledInstalment } from "../position/instalment.ts";
import { lateFeeOf } from "../pricing/quote.ts";

/** A loan as it was and as time has made it, with all that is to be written for it. */
export interface Aged {
  readonly before: Loan;
  readonly after: Loan;
  readonly postings: readonly Posting[];
  readonly lateFees: readonly ScheduledInstalment[];
  readonly changes: readonly LoanChange[];
  /** When to look at it again; null as long as nobody knows. */
  readonly agesAt: Date | null;
}

/** Income of instalments that have become due, and late fees. Draws the ids of its postings and writes nothing. */
export function planAgeing(tx: Tx, loan: Loan): Aged {
  const today = lagosDate(tx.environment.clock.now());
  const due = loan.history.instalments.filter(
    ({ number, dueDate }) => number > loan.account.accrued && !isAfter(dueDate, today),
  );
  const accrued = due.reduce((aged, { number, dueDate }) => {
    const booking = { kind: "loan.interest_due", narration: `Instalment ${number} due on ${dueDate}` };
    return withChange(tx, aged, { account: { accrued: number } }, booking);
  }, asItIs(loan));
  return planLateFees(tx, accrued, today);
}

function asItIs(loan: Loan): Aged {
  return { before: loan, after: loan, postings: [], lateFees: [], changes: [], agesAt: null };
}

function withChange(tx: Tx, aged: Aged, change: Change, booking: Booking): Aged {
  const { after, posting } = planChange(tx, aged.after, change, booking);
  return { ...aged, after, postings: posting === null ? aged.postings : [...aged.postings, posting] };
}

/** Charges every instalment that is overdue and has not been charged. */
function planLateFees(tx: Tx, aged: Aged, today: Temporal.PlainDate): Aged {
  const { account, product, position } = aged.after;
  if (!isOpen(account.status) && account.status !== "completed") return aged;
  return position.instalments
    .filter((instalment) => instalment.lateFeeAt === null && isOverdue(instalment, product.graceDays, today))
    .reduce((charged, instalment) => planLateFee(tx, charged, instalment), aged);
}

function planLateFee(tx: Tx, aged: Aged, position: InstalmentPosition): Aged {
  const { account, history, product } = aged.after;
  const { number } = position;
  const late = history.instalments.find((instalment) => instalment.number === number);
  if (late === undefined) throw new Error(`loan account ${account.id} has no instalment ${number}`);
  // What a refund took off the plan is not late.
  const amount = lateFeeOf(product, { number, ...dueParts(position) });
  if (amount === 0n) return aged;
  const lateFee = { ...late, lateFee: amount, lateFeeAt: account.version + 1 };
  const instalments = history.instalments.map((instalment) => (instalment === late ? lateFee : instalment));
  const booking = { kind: "loan.late_fee", narration: `Late fee for instalment ${number}` };
  const charged = withChange(tx, aged, { history: { instalments } }, booking);
  const change = { what: "late_fee_charged", account: charged.after.account, instalment: number, amount } as const;
  return { ...charged, lateFees: [...charged.lateFees, lateFee], changes: [...charged.changes, change] };
}

/** Writes what was planned, in as many statements for many loans as for one. Each was locked by the caller. */
export async function writeAged(tx: Tx, aged: readonly Aged[], announce: Announce): Promise<void> {
  if (aged.length === 0) return;
  const accounts = aged.map(({ before, after, agesAt }) => ({ before: before.account, after: after.account, agesAt }));
  const updated = await updateAgedAccounts(tx, accounts);
  if (updated !== aged.length) throw new Error(`${aged.length - updated} loan accounts were not locked`);
  const fees = aged.flatMap(({ before, lateFees }) =>
    lateFees.map((fee) => ({ accountId: before.account.id, ...fee })),
  );
  if ((await writeLateFees(tx, fees)) !== fees.length) throw new Error("an instalment was charged twice");
  const refused = await postBatch(
    tx,
    aged.flatMap(({ postings }) => postings),
  );
  if (refused.size > 0) throw new Error("what a loan earns lacked funds and may not");
  const changes = aged.flatMap((loan) => loan.changes);
  if (changes.length > 0) await announce(tx, changes);
}

/** Brings a loan up to date that money has left: what is unpaid after its grace because of it bears its late fee. */
export async function followLostMoney(tx: Tx, loan: Loan, announce: Announce): Promise<void> {
  const today = lagosDate(tx.environment.clock.now());
  const charged = loan.position.closedAt === null ? planLateFees(tx, asItIs(loan), today) : asItIs(loan);
  if (charged.after !== loan) await writeAged(tx, [charged], announce);
  await bookAgeing(tx, await settleStatus(tx, charged.after, announce));
}
