/** Reading and writing checkout loans. */

import { type Kobo, kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Row } from "../../platform/database/row.ts";
import type { Customer } from "../customers/customer.ts";
import {
  type CheckoutLoan,
  type CheckoutLoanStatus,
  type ConsentStatus,
  outstandingStatuses,
} from "./checkout-loan.ts";

export async function insertCheckoutLoan(tx: Tx, loan: CheckoutLoan): Promise<void> {
  await tx
    .insertInto("checkout_loans")
    .values({
      environment_id: tx.environment.id,
      id: loan.id,
      customer_id: loan.customerId,
      session_id: loan.sessionId,
      reference: loan.accountId,
      policy_version: loan.policyVersion,
      amount: loan.amount,
      owed_principal: loan.owedPrincipal,
      tenor: loan.tenor,
      bank_code: loan.bankCode,
      bank_account_no: loan.bankAccountNo,
      bank_name: loan.bankName,
      account_name: loan.accountName,
      status: loan.status,
      consent_status: loan.consentStatus,
      expires_at: loan.expiresAt,
      version: loan.version,
      created_at: loan.createdAt,
      updated_at: loan.updatedAt,
    })
    .execute();
}

const columns = [
  "id",
  "customer_id",
  "session_id",
  "reference",
  "policy_version",
  "amount",
  "owed_principal",
  "tenor",
  "bank_code",
  "bank_account_no",
  "bank_name",
  "account_name",
  "status",
  "consent_status",
  "consented_at",
  "expires_at",
  "disbursement_id",
  "disbursements",
  "version",
  "created_at",
  "updated_at",
] as const;

type LoanRow = Row<"checkout_loans", (typeof columns)[number]>;

function selectLoans(tx: Tx) {
  return tx.selectFrom("checkout_loans").select(columns).where("environment_id", "=", tx.environment.id);
}

/** Locks: the loan's row, when asked to, but not its key: codes and charges that refer to it can be written meanwhile. */
export async function findCheckoutLoan(
  tx: Tx,
  id: string,
  { lock }: { lock: boolean },
): Promise<CheckoutLoan | undefined> {
  const row = await selectLoans(tx)
    .where("id", "=", id)
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  return row === undefined ? undefined : toLoan(row);
}

/** All loans of the environment, page by page. */
export async function readLoansAfter(tx: Tx, after: string | null, atMost: number): Promise<CheckoutLoan[]> {
  const rows = await selectLoans(tx)
    .$if(after !== null, (query) => query.where("id", ">", after))
    .orderBy("id")
    .limit(atMost)
    .execute();
  return rows.map(toLoan);
}

/** By the transfer that pays it out. */
export async function findByDisbursement(tx: Tx, transferId: string): Promise<CheckoutLoan | undefined> {
  const row = await selectLoans(tx).where("disbursement_id", "=", transferId).executeTakeFirst();
  return row === undefined ? undefined : toLoan(row);
}

/** More than the policy lets anybody have open. */
const mostAtOnce = 100;

export async function readLoansOf(
  tx: Tx,
  customerId: string,
  statuses: readonly CheckoutLoanStatus[] = outstandingStatuses,
): Promise<CheckoutLoan[]> {
  const rows = await selectLoansOf(tx, customerId, statuses).execute();
  return rows.map(toLoan);
}

/** Locks: the loans, after the customer, whom the caller has locked. */
export async function lockLoansOf(
  tx: Tx,
  { id }: Customer,
  statuses: readonly CheckoutLoanStatus[],
): Promise<CheckoutLoan[]> {
  const rows = await selectLoansOf(tx, id, statuses).forNoKeyUpdate().execute();
  return rows.map(toLoan);
}

function selectLoansOf(tx: Tx, customerId: string, statuses: readonly CheckoutLoanStatus[]) {
  return selectLoans(tx)
    .where("customer_id", "=", customerId)
    .where("status", "in", statuses)
    .orderBy("id", "desc")
    .limit(mostAtOnce);
}

export async function countLoansOf(tx: Tx, customerId: string, status: CheckoutLoanStatus): Promise<number> {
  const counted = await tx
    .selectFrom("checkout_loans")
    .select((select) => select.fn.countAll<bigint>().as("count"))
    .where("environment_id", "=", tx.environment.id)
    .where("customer_id", "=", customerId)
    .where("status", "=", status)
    .executeTakeFirstOrThrow();
  return Number(counted.count);
}

export interface LoanChangeRow {
  readonly status?: CheckoutLoanStatus;
  readonly consentStatus?: ConsentStatus;
  readonly consentedAt?: Date;
  readonly tenor?: number;
}

/**
 * Returns the loan as it is then. Compare-and-set on the version, which rises with every change: a caller that changes
 * a loan has locked it, so losing that race is a bug.
 */
export async function updateCheckoutLoan(tx: Tx, before: CheckoutLoan, change: LoanChangeRow): Promise<CheckoutLoan> {
  const { status, consentStatus, consentedAt, tenor } = change;
  const updated = await tx
    .updateTable("checkout_loans")
    .set({ version: before.version + 1, updated_at: tx.environment.clock.now() })
    .$if(status !== undefined, (query) => query.set({ status: status ?? before.status }))
    .$if(consentStatus !== undefined, (query) => query.set({ consent_status: consentStatus ?? before.consentStatus }))
    .$if(consentedAt !== undefined, (query) => query.set({ consented_at: consentedAt ?? null }))
    .$if(tenor !== undefined, (query) => query.set({ tenor: tenor ?? before.tenor }))
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", before.id)
    .where("version", "=", before.version)
    .where("status", "=", before.status)
    .returning(columns)
    .executeTakeFirst();
  if (updated === undefined) throw new Error(`checkout loan ${before.id} was not locked`);
  return toLoan(updated);
}

/** Kept with the loan so that a lender can add it up over merchants. */
export async function setOwedPrincipal(tx: Tx, id: string, owed: Kobo): Promise<void> {
  await tx
    .updateTable("checkout_loans")
    .set({ owed_principal: owed })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .execute();
}

/** The next version: everything that the merchant is told has one of its own. */
export async function takeVersion(tx: Tx, id: string): Promise<number> {
  const taken = await tx
    .updateTable("checkout_loans")
    .set((set) => ({ version: set("version", "+", 1), updated_at: tx.environment.clock.now() }))
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .returning("version")
    .executeTakeFirstOrThrow();
  return taken.version;
}

/** Counts a try to pay the loan out, or returns undefined when another is under way or the loan is not approved. */
export async function countDisbursement(tx: Tx, id: string): Promise<number | undefined> {
  const row = await tx
    .updateTable("checkout_loans")
    .set((set) => ({ disbursements: set("disbursements", "+", 1) }))
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "approved")
    .where("disbursement_id", "is", null)
    .returning("disbursements")
    .executeTakeFirst();
  return row?.disbursements;
}

/** Names the transfer that pays the loan out, or, with null, says that none does. */
export async function setDisbursement(tx: Tx, id: string, transferId: string | null): Promise<void> {
  await tx
    .updateTable("checkout_loans")
    .set({ disbursement_id: transferId })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .execute();
}

function toLoan(row: LoanRow): CheckoutLoan {
  return {
    id: row.id,
    customerId: row.customer_id,
    sessionId: row.session_id,
    accountId: row.reference,
    policyVersion: row.policy_version,
    amount: kobo(row.amount),
    owedPrincipal: kobo(row.owed_principal),
    tenor: row.tenor,
    bankCode: row.bank_code,
    bankAccountNo: row.bank_account_no,
    bankName: row.bank_name,
    accountName: row.account_name,
    status: row.status as CheckoutLoanStatus,
    consentStatus: row.consent_status as ConsentStatus,
    consentedAt: row.consented_at,
    expiresAt: row.expires_at,
    disbursementId: row.disbursement_id,
    disbursements: row.disbursements,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
