/**
 * Paying a loan out, the same for loan requests and the checkout. A try is a disbursement; it is counted and
 * named on the owner's record in the transaction that holds the money, so that there is never more than one. What
 * could not be paid is tried again after a while, a few times by itself and after that by a person.
 */

import { letWorkersSee } from "../../ledger/held-payment.ts";
import { post } from "../../ledger/post.ts";
import type { Kobo } from "../../money/kobo.ts";
import { type Database, type EnvironmentKind, inEnvironment, type Tx } from "../../platform/database/database.ts";
import { Problem } from "../../platform/problem.ts";
import { claimReferences } from "../../platform/records/reference-claims.ts";
import { cancelScheduled, schedule } from "../../platform/work/agenda.ts";
import { findBank } from "../../rails/bank-directory.ts";
import { type BankRails, expectRail, railUser } from "../../rails/desk.ts";
import { noCharge } from "../tariff/tariff.ts";
import { holdPosting, nothingSaid, pendingTransfer, sendTask } from "./accept-transfer.ts";
import { disbursementReferences, type Transfer } from "./transfer.ts";
import { insertTransfers } from "./transfer-store.ts";

const minuteMs = 60_000;
/** How long to wait after the first, second, … failed try. */
const retryAfterMs = [10 * minuteMs, 60 * minuteMs, 6 * 60 * minuteMs, 24 * 60 * minuteMs];
/** Tries that are made without a person. */
export const mostDisbursements = retryAfterMs.length + 1;

/** A sandbox pays out a little later, slowly enough for a person to see the approval before it. */
const sandboxDelayMs = 2_000;

/** How an owner keeps count. */
export interface DisbursementOwner {
  /** The agenda's word for paying one of its loans out. */
  readonly task: string;
  /** Counts a try, or returns undefined when another is under way or the loan is not approved. */
  begin(tx: Tx, id: string): Promise<number | undefined>;
  /** Names the transfer that pays the loan out, or, with null, says that none does. */
  setTransfer(tx: Tx, id: string, transferId: string | null): Promise<void>;
}

export interface LoanDisbursement {
  /** The owner's record. */
  readonly id: string;
  readonly accountId: string;
  /** The lender's funding account. */
  readonly sourceAccountId: string;
  readonly accountNumber: string;
  readonly bankCode: string;
  readonly amount: Kobo;
}

export interface DisbursementRoute {
  readonly rails: BankRails;
  readonly kind: EnvironmentKind;
}

/** Why no try can be made at the moment: nothing is wrong with the loan, and later it may go. */
const passingRefusals: readonly string[] = ["insufficient_funds", "rail_not_configured"];

/** Puts the payment of an approved loan on the agenda. */
export async function bookDisbursement(
  tx: Tx,
  owner: DisbursementOwner,
  id: string,
  kind: EnvironmentKind,
): Promise<void> {
  const waitMs = kind === "SANDBOX" ? sandboxDelayMs : 0;
  const dueAt = tx.environment.clock.after(waitMs);
  await schedule(tx, [{ kind: owner.task, subject: id, dueAt }]);
}

/**
 * Begins to pay an approved loan out. False when another try is under way or the loan is not approved. Throws
 * insufficient_funds or rail_not_configured.
 */
export async function beginDisbursement(
  tx: Tx,
  owner: DisbursementOwner,
  { rails, kind }: DisbursementRoute,
  disbursement: LoanDisbursement,
): Promise<boolean> {
  const { id, accountId, sourceAccountId, accountNumber, bankCode, amount } = disbursement;
  const attempt = await owner.begin(tx, id);
  if (attempt === undefined) return false;
  await expectRail(rails.bank, railUser(tx));
  const transfer = await acceptDisbursement(tx, {
    reference: `${accountId}-${attempt}`,
    sourceAccountId,
    accountNumber,
    bankCode: findBank(bankCode, kind)?.code ?? bankCode,
    amount,
    narration: `Loan ${accountId}`,
  });
  await owner.setTransfer(tx, id, transfer.id);
  await cancelScheduled(tx, owner.task, [id]);
  return true;
}

/** The payment failed or came back: the loan can be paid out again. */
export async function disbursementFailed(
  tx: Tx,
  owner: DisbursementOwner,
  { id, attempts }: { readonly id: string; readonly attempts: number },
): Promise<void> {
  await owner.setTransfer(tx, id, null);
  await retryLater(tx, owner, id, attempts);
}

async function retryLater(tx: Tx, owner: DisbursementOwner, id: string, attempts: number): Promise<void> {
  const waitMs = retryAfterMs[attempts - 1];
  if (waitMs === undefined) return;
  const dueAt = tx.environment.clock.after(waitMs);
  await schedule(tx, [{ kind: owner.task, subject: id, dueAt }]);
}

/**
 * The task. Refusals are outcomes here: the loan has moved on meanwhile, or the lender cannot pay at the moment, which
 * counts as a try.
 */
export async function runDisbursement(
  { db, environmentId, id }: { readonly db: Database; readonly environmentId: string; readonly id: string },
  owner: DisbursementOwner,
  pay: (tx: Tx, id: string) => Promise<unknown>,
): Promise<void> {
  try {
    await inEnvironment(db, environmentId, (tx) => pay(tx, id));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (!passingRefusals.includes(error.code)) return;
    await inEnvironment(db, environmentId, async (tx) => {
      const attempt = await owner.begin(tx, id);
      if (attempt !== undefined) await retryLater(tx, owner, id, attempt);
    });
  }
}

/**
 * A disbursement is a transfer of the lender's: it pays a loan out to the borrower's account. The money is held on the
 * lender's funding account in the caller's transaction, in which the loan also learns that it is under way.
 */
interface Disbursement {
  /** Unique among disbursements; the merchant's references are another namespace. */
  readonly reference: string;
  /** The lender's funding account. */
  readonly sourceAccountId: string;
  readonly accountNumber: string;
  /** The CBN code. */
  readonly bankCode: string;
  readonly amount: Kobo;
  readonly narration: string;
}

/** Throws insufficient_funds when the lender lacks the money. The worker asks the bank for the holder's name first. */
async function acceptDisbursement(tx: Tx, disbursement: Disbursement): Promise<Transfer> {
  const { clock } = tx.environment;
  const accepted = pendingTransfer(clock.newId(), { ...nothingSaid, ...disbursement }, noCharge, clock.now());
  const transfer: Transfer = { ...accepted, purpose: "disbursement" };
  const claim = { references: [transfer.reference], recordId: transfer.id };
  const [holder] = await claimReferences(tx, disbursementReferences, [claim]);
  if (holder != null) throw new Error(`the disbursement ${transfer.reference} was made before`);
  await post(tx, { ...holdPosting(transfer), kind: "disbursement.held" });
  const claimable = await letWorkersSee(tx, sendTask, [transfer]);
  await insertTransfers(tx, { records: [transfer], firstPosition: null, claimable });
  return transfer;
}
