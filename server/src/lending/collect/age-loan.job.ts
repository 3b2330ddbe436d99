/** The task of lending: looking at a loan when its next due date or the end of a grace has come. */
import { type Database, inEnvironment, type Tx } from "../../platform/database/database.ts";
import { lagosDate } from "../../platform/time/lagos-date.ts";
import { type Booking, bookAll, bookingOf } from "../../platform/work/agenda.ts";
import type { RunName, SharedTask, TaskKind } from "../../platform/work/jobs.ts";
import { recordsById, type SweepSource } from "../../platform/work/sweeper.ts";
import { ageTask, bookAgeing, nextMoment, settleStatus, statusOf } from "../account/change-loan.ts";
import type { Loan } from "../account/loan.ts";
import { type Announce, isOpen, type LoanAccount } from "../account/loan-account.ts";
import { lockAccounts, readManyInstalments } from "../account/loan-account-store.ts";
import { listManyReductions } from "../account/reduction-store.ts";
import { listManyRefunds, listManyRepayments } from "../account/repayment-store.ts";
import { type LoanHistory, positionOf } from "../position/position.ts";
import type { LoanProduct } from "../pricing/product.ts";
import { findProductVersion } from "../pricing/product-store.ts";
import { type Aged, planAgeing, writeAged } from "./age-loan.ts";

export const lendingTaskKinds = [ageTask] as const;

export interface AgeingDependencies {
  readonly db: Database;
  /** Finds the owner by `account.owner.kind`. */
  readonly announce: Announce;
}

export function lendingTasks({ db, announce }: AgeingDependencies): [string, TaskKind][] {
  const task: TaskKind = {
    handle: ({ environmentId, subject }) =>
      inEnvironment(db, environmentId, (tx) => ageLoans(tx, [{ subject, within: (work) => work() }], announce)),
    handleTogether: (tx, tasks, run) => ageLoans(tx, tasks, announce, run),
  };
  return [[ageTask, task]];
}

export const lendingSweepSources: readonly SweepSource[] = [
  recordsById({ name: "loans that fall due", kind: ageTask }, "find_ageing_loan_accounts"),
];

/**
 * Ageing the loans of one moment, many as a moved clock does or a single one. They are read and locked together. Most
 * of them only earn an instalment's interest or are charged a late fee: those are written together too. A loan that
 * moves to another state, or that the agenda is to forget, has its own part. Each draws its ids from its own task, and
 * the outcome is that of one after another.
 */

/** A year of a weekly loan is a hundred looks at it: what nobody has changed since the last is not read again. */
const loansOf = new WeakMap<RunName, Map<string, Loan>>();

export async function ageLoans(
  tx: Tx,
  tasks: readonly Pick<SharedTask, "subject" | "within">[],
  announce: Announce,
  run: RunName = {},
): Promise<void> {
  const known = loansOf.getOrInsertComputed(run, () => new Map());
  const loans = await lockLoans(
    tx,
    tasks.map(({ subject }) => subject),
    known,
  );
  let quiet: { readonly aged: Aged; readonly booking: Booking }[] = [];
  const writeQuiet = async (): Promise<void> => {
    const [written, bookings] = [quiet.map(({ aged }) => aged), quiet.map(({ booking }) => booking)];
    quiet = [];
    await writeAged(tx, written, announce);
    await bookAll(tx, bookings);
  };
  for (const { subject, within } of tasks) {
    const loan = loans.get(subject);
    if (loan === undefined) throw new Error(`there is no loan account ${subject}`);
    if (!isOpen(loan.account.status)) continue;
    await within(async () => {
      const aged = planAgeing(tx, loan);
      const dueAt = nextQuietMoment(aged, tx.environment.clock.now());
      if (dueAt !== null) {
        const booking = bookingOf(tx, { kind: ageTask, subject, dueAt });
        quiet.push({ aged: { ...aged, agesAt: dueAt }, booking });
        known.set(subject, aged.after);
        return;
      }
      known.delete(subject);
      await writeQuiet();
      await writeAged(tx, [aged], announce);
      await bookAgeing(tx, await settleStatus(tx, aged.after, announce));
    });
  }
  await writeQuiet();
}

/** Null when somebody is to be told that the loan has moved, or the agenda is to forget it. */
function nextQuietMoment({ after }: Aged, now: Date): Date | null {
  return statusOf(after, lagosDate(now)) === after.account.status ? nextMoment(after, now) : null;
}

/** Reads many loans at once to change them, in as many statements as one loan takes. */

/**
 * `known` are loans that the caller has read before. One whose account has the same version still is as it was, since
 * whatever changes a loan takes the next version.
 */
async function lockLoans(
  tx: Tx,
  wanted: readonly string[],
  known: ReadonlyMap<string, Loan>,
): Promise<ReadonlyMap<string, Loan>> {
  const accounts = await lockAccounts(tx, wanted);
  const isKnown = ({ id, version }: LoanAccount) => known.get(id)?.account.version === version;
  const unread = await readLoans(
    tx,
    accounts.filter((account) => !isKnown(account)),
  );
  return new Map([...known, ...unread]);
}

async function readLoans(tx: Tx, accounts: readonly LoanAccount[]): Promise<ReadonlyMap<string, Loan>> {
  if (accounts.length === 0) return new Map();
  const ids = accounts.map(({ id }) => id);
  const instalments = await readManyInstalments(tx, ids);
  const repayments = Map.groupBy(await listManyRepayments(tx, ids), ({ accountId }) => accountId);
  const reductions = Map.groupBy(await listManyReductions(tx, ids), ({ accountId }) => accountId);
  const refunds = Map.groupBy(await listManyRefunds(tx, ids), ({ accountId }) => accountId);
  const productOf = await findProducts(tx, accounts);
  const loans = accounts.map((account): [string, Loan] => {
    const { id, writtenOffAt } = account;
    const product = productOf(account);
    const history: LoanHistory = {
      interestMethod: product.interestMethod,
      instalments: instalments.get(id) ?? [],
      repayments: repayments.get(id) ?? [],
      reductions: reductions.get(id) ?? [],
      refunds: refunds.get(id) ?? [],
      writtenOffAt,
    };
    return [id, { account, product, history, position: positionOf(history) }];
  });
  return new Map(loans);
}

/** Few products make many loans. */
async function findProducts(tx: Tx, accounts: readonly LoanAccount[]): Promise<(account: LoanAccount) => LoanProduct> {
  const nameOf = ({ productId, productVersion }: LoanAccount) => `${productId}/${productVersion}`;
  const found = new Map<string, LoanProduct>();
  for (const account of accounts) {
    if (found.has(nameOf(account))) continue;
    found.set(nameOf(account), await findProductVersion(tx, account.productId, account.productVersion));
  }
  return (account) => {
    const product = found.get(nameOf(account));
    if (product === undefined) throw new Error(`loan account ${account.id} has no product`);
    return product;
  };
}
