/**
 * Ageing many loans at one moment, as a moved clock does. They are read and locked together. Most of them only earn an
 * instalment's interest, which nobody is told: those are written together too. A loan that has something to say goes
 * the way of one loan. Either way each draws its ids from its own task, and the outcome is that of one after another.
 */
import { type Posting, postBatch } from "../ledger/post.ts";
import type { Tx } from "../platform/database/database.ts";
import { type Booking, bookAll, bookingOf } from "../platform/work/agenda.ts";
import type { SharedTask } from "../platform/work/jobs.ts";
import { accrualsOf, ageLoan, bearsLateFee } from "./age-loan.ts";
import { ageTask, nextMoment, planChange, statusOf } from "./change-loan.ts";
import { lagosDate } from "./lagos-date.ts";
import type { Loan } from "./loan.ts";
import { type Announce, isOpen } from "./loan-account.ts";
import { type AgedAccount, updateAgedAccounts } from "./loan-account-store.ts";
import { lockLoans } from "./lock-loans.ts";

interface Aged {
  readonly account: AgedAccount;
  readonly postings: readonly Posting[];
  readonly booking: Booking;
}

export async function ageLoans(tx: Tx, tasks: readonly SharedTask[], announce: Announce): Promise<void> {
  const ids = tasks.map(({ subject }) => subject);
  const loans = await lockLoans(tx, ids);
  const quiet: Aged[] = [];
  for (const task of tasks) {
    const loan = loans.get(task.subject);
    if (loan === undefined) throw new Error(`there is no loan account ${task.subject}`);
    await task.within(async () => {
      const aged = ageQuietly(tx, loan);
      if (aged === undefined) await ageLoan(tx, loan, announce);
      else quiet.push(aged);
    });
  }
  await writeQuietly(tx, quiet);
}

/** Undefined, with nothing drawn, when somebody is to be told or the agenda is to forget the loan. */
function ageQuietly(tx: Tx, loan: Loan): Aged | undefined {
  const now = tx.environment.clock.now();
  const today = lagosDate(now);
  const accruals = accrualsOf(loan, today);
  const last = accruals.at(-1);
  if (last === undefined || !isQuiet(loan, today)) return undefined;
  const dueAt = nextMoment({ ...loan, account: { ...loan.account, ...last.change.account } }, now);
  if (dueAt === null) return undefined;
  const postings: Posting[] = [];
  let after = loan;
  for (const { change, booking } of accruals) {
    const planned = planChange(tx, after, change, booking);
    if (planned.posting !== null) postings.push(planned.posting);
    after = planned.after;
  }
  const booking = bookingOf(tx, { kind: ageTask, subject: loan.account.id, dueAt });
  return { account: { before: loan.account, after: after.account, agesAt: dueAt }, postings, booking };
}

function isQuiet(loan: Loan, today: Temporal.PlainDate): boolean {
  const { account, position, product } = loan;
  if (!isOpen(account.status) || statusOf(loan, today) !== account.status) return false;
  return !position.instalments.some((instalment) => bearsLateFee(instalment, product.graceDays, today));
}

async function writeQuietly(tx: Tx, quiet: readonly Aged[]): Promise<void> {
  if (quiet.length === 0) return;
  const updated = await updateAgedAccounts(
    tx,
    quiet.map(({ account }) => account),
  );
  if (updated !== quiet.length) throw new Error(`${quiet.length - updated} loan accounts were not locked`);
  const refused = await postBatch(
    tx,
    quiet.flatMap(({ postings }) => postings),
  );
  if (refused.size > 0) throw new Error("earning interest lacked funds and may not");
  await bookAll(
    tx,
    quiet.map(({ booking }) => booking),
  );
}
