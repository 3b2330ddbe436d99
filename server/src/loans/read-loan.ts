/** Reading loans: the request with its applicant, and the loan account in the words of the API. */
import { type LoanView, readLoanAccount } from "../lending/read-loan-account.ts";
import { findEnvironment } from "../merchants/find-environment.ts";
import type { Tx } from "../platform/database/database.ts";
import { type PageMeta, type PageRequest, pageMetaOf, readPage } from "../platform/records/pagination.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { loanProblem } from "./errors.ts";
import { countLoans, type LoanFilter, readLoans, readMatchingLoans } from "./loan-list-store.ts";
import { type LoanRequest, loanList } from "./loan-request.ts";
import { findLoan } from "./loan-store.ts";
import { presentDetails } from "./present-details.ts";
import { type Home, presentRequest } from "./present-request.ts";
import type { PresentedLoan } from "./schemas.ts";

/** Throws loan_not_found. */
export async function requireLoan(tx: Tx, sealer: Sealer, id: string): Promise<LoanRequest> {
  const loan = await findLoan(tx, sealer, id);
  if (loan === undefined) throw loanProblem("loan_not_found");
  return loan;
}

/** The request with its loan account. Throws loan_not_found. */
export async function readLoanView(
  tx: Tx,
  sealer: Sealer,
  id: string,
): Promise<{ readonly loan: LoanRequest; readonly view: LoanView }> {
  const loan = await requireLoan(tx, sealer, id);
  const view = await readLoanAccount(tx, loan.accountId);
  if (view === undefined) throw new Error(`loan ${id} has no account`);
  return { loan, view };
}

/** The record of GET /loans/{id}. */
export async function readLoanRecord(tx: Tx, sealer: Sealer, id: string): Promise<PresentedLoan> {
  return presentRecord(await readLoanView(tx, sealer, id), await findHome(tx));
}

export function presentRecord({ loan, view }: { readonly loan: LoanRequest; readonly view: LoanView }, home: Home) {
  return { loan_request: presentRequest(loan, home), loan_details: presentDetails(loan, view, home) };
}

export async function findHome(tx: Tx): Promise<Home> {
  const { merchantId, kind } = await findEnvironment(tx, tx.environment.id);
  return { merchantId, kind };
}

/** One page of the environment's loan requests, newest first. */
export async function listLoans(
  tx: Tx,
  sealer: Sealer,
  filter: LoanFilter,
  { page, limit }: PageRequest,
): Promise<{ rows: readonly LoanRequest[]; meta: PageMeta }> {
  if (Object.values(filter).every((value) => value === null)) {
    const read = await readPage(tx, loanList, { page, limit }, (range) => readLoans(tx, sealer, range));
    return { rows: read.rows, meta: pageMetaOf(read.total, page, limit) };
  }
  const total = await countLoans(tx, filter);
  const skip = BigInt(page - 1) * BigInt(limit);
  const rows = skip >= total ? [] : await readMatchingLoans(tx, sealer, filter, { skip, limit });
  return { rows, meta: pageMetaOf(total, page, limit) };
}
