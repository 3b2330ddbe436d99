/**
 * Changing a loan: the account moves by compare-and-set, the ledger is posted the difference, the agenda is told when
 * to look again. The caller holds the loan's lock (`lockLoan`).
 */
import { type Posting, post } from "../../ledger/post.ts";
import type { Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import { isAfter, lagosDate, startOfLagosDay } from "../../platform/time/lagos-date.ts";
import { cancelScheduled, schedule } from "../../platform/work/agenda.ts";
import { isOverdue, lastDayOfGrace, unpaid } from "../position/instalment.ts";
import { type LoanHistory, positionOf } from "../position/position.ts";
import type { Loan } from "./loan.ts";
import {
  type Announce,
  canMove,
  isOpen,
  type LoanAccount,
  type LoanStatus,
  loanAccountResource,
} from "./loan-account.ts";
import { setAgesAt, updateAccount } from "./loan-account-store.ts";
import { legsBetween, sharesOf } from "./loan-ledger.ts";

export interface Change {
  readonly account?: Partial<LoanAccount>;
  readonly history?: Partial<LoanHistory>;
}

/** What the ledger calls it. Without a record of its own it belongs to the account. */
export interface Booking {
  readonly kind: string;
  readonly narration: string;
  readonly id?: string;
  readonly resource?: Posting["resource"];
}

export interface PlannedChange {
  readonly after: Loan;
  /** Null when the ledger has nothing to say about it. */
  readonly posting: Posting | null;
}

/** What a change comes to under the next version, and what the ledger is posted. */
export function planChange(tx: Tx, before: Loan, change: Change, booking: Booking): PlannedChange {
  const { clock, id: environmentId } = tx.environment;
  const stamp = { version: before.account.version + 1, updatedAt: clock.now() };
  const account = { ...before.account, ...change.account, ...stamp };
  const history = { ...before.history, ...change.history, writtenOffAt: account.writtenOffAt };
  const after: Loan = { ...before, account, history, position: positionOf(history) };
  const legs = legsBetween(sharesOf(environmentId, before), sharesOf(environmentId, after));
  if (legs.length === 0) return { after, posting: null };
  const posting: Posting = {
    id: booking.id ?? clock.newId(),
    kind: booking.kind,
    resource: booking.resource ?? { type: loanAccountResource, id: account.id, reference: null },
    narration: booking.narration,
    legs,
  };
  return { after, posting };
}

/** Applies a change under the next version and posts what it means. Rows other than the account's are the caller's. */
export async function changeLoan(tx: Tx, before: Loan, change: Change, booking: Booking): Promise<Loan> {
  const { after, posting } = planChange(tx, before, change, booking);
  const { account } = after;
  if (!(await updateAccount(tx, before.account, account))) throw new Error(`loan account ${account.id} was not locked`);
  if (posting !== null) await post(tx, posting);
  return after;
}

/** Moves the account and tells its owner. Throws invalid_state when the transition table does not have the step. */
export async function moveLoan(
  tx: Tx,
  before: Loan,
  to: LoanStatus,
  { announce, change = {}, narration }: { announce: Announce; change?: Change; narration?: string },
): Promise<Loan> {
  const from = before.account.status;
  if (!canMove(from, to)) throw wrongState(from);
  const moved = { ...change, account: { ...change.account, status: to } };
  const after = await changeLoan(tx, before, moved, { kind: `loan.${to}`, narration: narration ?? `Loan ${to}` });
  await announce(tx, [{ what: "moved", account: after.account, from }]);
  return after;
}

export function wrongState(status: LoanStatus) {
  return commonProblem("invalid_state", {
    message: `The loan is ${status} and does not allow this.`,
    data: { status },
  });
}

/** Brings the status in line with the position: completed, overdue or active. */
export async function settleStatus(tx: Tx, loan: Loan, announce: Announce): Promise<Loan> {
  const { account } = loan;
  if (!isOpen(account.status) && account.status !== "completed") return loan;
  const to = statusOf(loan, lagosDate(tx.environment.clock.now()));
  if (to === account.status) return loan;
  const change = { account: { closedAt: to === "completed" ? tx.environment.clock.now() : null } };
  return moveLoan(tx, loan, to, { announce, change });
}

/** What the position of a loan that was paid out says. */
export function statusOf({ product, position }: Loan, today: Temporal.PlainDate): "completed" | "overdue" | "active" {
  const late = position.instalments.some((instalment) => isOverdue(instalment, product.graceDays, today));
  return position.closedAt !== null ? "completed" : late ? "overdue" : "active";
}

/** The agenda's word for looking at a loan when time may have changed it. */
export const ageTask = "lending.age";

/** Books the next moment at which time alone changes the loan, or takes it off the agenda. */
export async function bookAgeing(tx: Tx, loan: Loan): Promise<void> {
  const { id } = loan.account;
  const dueAt = nextMoment(loan, tx.environment.clock.now());
  await setAgesAt(tx, id, dueAt);
  if (dueAt === null) await cancelScheduled(tx, ageTask, [id]);
  else await schedule(tx, [{ kind: ageTask, subject: id, dueAt }]);
}

/** An instalment matters on its due date, when its interest is earned, and after its grace, while it is unpaid. */
export function nextMoment({ account, product, position }: Loan, now: Date): Date | null {
  if (!isOpen(account.status)) return null;
  // A day begins after now when it is later than today. Grace is taken off today once, not added to every due date.
  const today = lagosDate(now);
  const graceEnded = today.subtract({ days: product.graceDays + 1 });
  const { instalments } = position; // the earliest first
  const due = instalments.find(({ number, dueDate }) => number > account.accrued && isAfter(dueDate, today));
  const late = instalments.find((instalment) => isAfter(instalment.dueDate, graceEnded) && unpaid(instalment) > 0n);
  const lateFrom = late && lastDayOfGrace(late, product.graceDays).add({ days: 1 });
  const [first] = [due?.dueDate, lateFrom].filter((date) => date !== undefined).sort(Temporal.PlainDate.compare);
  return first === undefined ? null : startOfLagosDay(first);
}
