/** Reading and writing loan requests. */

import { sql } from "kysely";
import type { LoanAccount, LoanStatus } from "../lending/account/loan-account.ts";
import type { TenorType } from "../lending/pricing/product.ts";
import { kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { unawaited } from "../platform/database/unawaited.ts";
import { positionsFrom } from "../platform/records/pagination.ts";
import type { SearchedKind } from "../platform/records/search.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { sealedContext } from "../platform/secrets/reseal.ts";
import { applicantColumns, toApplicant } from "./applicant-store.ts";
import { type LoanRequest, loanList } from "./loan-request.ts";
import type { Application } from "./read-application.ts";
import { sealedRequestNin } from "./sealed-columns.ts";

export interface NewLoan {
  readonly id: string;
  readonly accountId: string;
  readonly applicantId: string;
  readonly application: Application;
}

export async function insertLoan(tx: Tx, sealer: Sealer, loan: NewLoan): Promise<void> {
  const { application: sent } = loan;
  const now = tx.environment.clock.now();
  const insert = tx.insertInto("loan_requests").values({
    environment_id: tx.environment.id,
    id: loan.id,
    list_position: positionsFrom(loanList, 1),
    reference: loan.accountId,
    applicant_id: loan.applicantId,
    first_name: sent.firstName,
    last_name: sent.lastName,
    phone: sent.phone,
    email: sent.email,
    sealed_nin: sealer.seal(sent.nin, sealedContext(sealedRequestNin, tx.environment.id, loan.id)),
    amount: sent.amount,
    tenure: sent.tenor,
    tenure_type: sent.tenorType,
    bank_code: sent.bankCode,
    account_number: sent.accountNumber,
    latitude: sent.latitude,
    longitude: sent.longitude,
    status: "pending",
    created_at: now,
    updated_at: now,
  });
  await unawaited(() => insert.execute());
}

export function selectLoans(tx: Tx) {
  return tx
    .selectFrom("loan_requests as r")
    .innerJoin("loan_applicants as a", (join) =>
      join.onRef("a.environment_id", "=", "r.environment_id").onRef("a.id", "=", "r.applicant_id"),
    )
    .select(["r.id", "r.reference", "r.first_name", "r.last_name", "r.phone", "r.email", "r.amount", "r.tenure"])
    .select(["r.tenure_type", "r.bank_code", "r.account_number", "r.bank_name", "r.account_name", "r.status"])
    .select(["r.disbursement_id", "r.disbursements", "r.created_at", "r.updated_at"])
    .select(applicantColumns)
    .where("r.environment_id", "=", tx.environment.id);
}

type LoanRow = Awaited<ReturnType<ReturnType<typeof selectLoans>["executeTakeFirstOrThrow"]>>;

export function toLoan(tx: Tx, sealer: Sealer, row: LoanRow): LoanRequest {
  return {
    id: row.id,
    accountId: row.reference,
    applicant: toApplicant(tx, sealer, row),
    firstName: row.first_name,
    lastName: row.last_name,
    phone: row.phone,
    email: row.email,
    amount: kobo(row.amount),
    tenor: row.tenure,
    tenorType: row.tenure_type as TenorType,
    bankCode: row.bank_code,
    accountNumber: row.account_number,
    bankName: row.bank_name,
    accountName: row.account_name,
    status: row.status as LoanStatus,
    disbursementId: row.disbursement_id,
    disbursements: row.disbursements,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export async function findLoan(tx: Tx, sealer: Sealer, id: string): Promise<LoanRequest | undefined> {
  const row = await selectLoans(tx).where("r.id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : toLoan(tx, sealer, row);
}

/** By the id of its loan account, which the API shows as `loan_request.reference` and `loan_details.id`. */
export async function findLoanByReference(tx: Tx, sealer: Sealer, reference: string): Promise<LoanRequest | undefined> {
  const row = await selectLoans(tx).where("r.reference", "=", reference).executeTakeFirst();
  return row === undefined ? undefined : toLoan(tx, sealer, row);
}

/** By the transfer that pays it out. */
export async function findLoanByDisbursement(tx: Tx, sealer: Sealer, transferId: string) {
  const row = await selectLoans(tx).where("r.disbursement_id", "=", transferId).executeTakeFirst();
  return row === undefined ? undefined : toLoan(tx, sealer, row);
}

/** Follows the loan accounts: each request shows its account's state and when it last changed. */
export async function followAccounts(tx: Tx, accounts: readonly LoanAccount[]): Promise<void> {
  // One statement cannot follow the same account twice: the last change holds.
  const latest = [...new Map(accounts.map((account) => [account.owner.id, account])).values()];
  if (latest.length === 0) return;
  await sql`
    update loan_requests r set status = a.status, updated_at = ${tx.environment.clock.now()}
    from unnest(${latest.map(({ owner }) => owner.id)}::uuid[], ${latest.map(({ status }) => status)}::text[])
      as a (id, status)
    where r.environment_id = ${tx.environment.id} and r.id = a.id`.execute(tx);
}

/** Locks the request for a decision that no transfer may overtake. False when a transfer is paying the loan out. */
export async function holdUndisbursed(tx: Tx, id: string): Promise<boolean> {
  const held = await tx
    .selectFrom("loan_requests")
    .select("id")
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("disbursement_id", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return held !== undefined;
}

export async function nameAccount(
  tx: Tx,
  id: string,
  names: { readonly bankName: string; readonly accountName: string | null },
): Promise<void> {
  await tx
    .updateTable("loan_requests")
    .set({ bank_name: names.bankName, account_name: names.accountName, updated_at: tx.environment.clock.now() })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("account_name", "is", null)
    .execute();
}

/** Counts a try to pay the loan out, or returns undefined when another is under way or the loan is not approved. */
export async function countDisbursement(tx: Tx, id: string): Promise<number | undefined> {
  const row = await tx
    .updateTable("loan_requests")
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
    .updateTable("loan_requests")
    .set({ disbursement_id: transferId })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .execute();
}

/** What can be found of loan requests. */
export const searchedLoans: readonly SearchedKind[] = [
  {
    kind: "loan",
    table: "loan_requests",
    scope: "loans:read",
    path: "/loans/{id}",
    title: sql`t.first_name || ' ' || t.last_name`,
    details: sql`array[t.phone, t.account_number, t.bank_name]`,
    status: sql`t.status`,
    amountColumn: "amount",
    ids: ["reference", "disbursement_id"],
    newestBy: "list_position",
    exactly: ["account_number", "phone"],
    text: sql`concat_ws(' ', t.first_name, t.last_name, t.email, t.account_name)`,
  },
];
