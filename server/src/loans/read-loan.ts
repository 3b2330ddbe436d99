/** Reading loans: the request with its applicant, and the loan account in the words of the API. */

import type { LoanStatus } from "../lending/account/loan-account.ts";
import { type LoanView, readLoanAccount } from "../lending/account/read-loan-account.ts";
import { presentDueDate, presentPlan, presentRepaymentSchedule } from "../lending/account/schedule-on-wire.ts";
import { ratePercent, type TenorType } from "../lending/pricing/product.ts";
import { findEnvironment } from "../merchants/find-environment.ts";
import { nairaNumber } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { type PageMeta, type PageRequest, pageMetaOf, readPage } from "../platform/records/pagination.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { loanProblem } from "./errors.ts";
import { countLoans, type LoanFilter, readLoans, readMatchingLoans } from "./loan-list-store.ts";
import { type LoanRequest, loanList } from "./loan-request.ts";
import { findLoan, findLoanByReference } from "./loan-store.ts";
import { type Home, presentRequest } from "./present-request.ts";
import type { PresentedDetails, PresentedLoan } from "./schemas.ts";

/**
 * By its id or its reference: the record and every event show both, and `loan_details.id` is the reference. We make
 * both, so no merchant can choose one that means another loan, and an id goes first. Work goes on under `id` of what
 * is returned: locks and planned tasks know nothing else. Throws loan_not_found.
 */
export async function requireLoan(tx: Tx, sealer: Sealer, idOrReference: string): Promise<LoanRequest> {
  const loan = (await findLoan(tx, sealer, idOrReference)) ?? (await findLoanByReference(tx, sealer, idOrReference));
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

/** The record of GET /loans/{id}, by its id or its reference. */
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

/** The loan account in the words of the specification. */
const statusNumbers = {
  pending: 1,
  approved: 2,
  disbursed: 3,
  active: 4,
  completed: 5,
  rejected: 6,
  overdue: 7,
  cancelled: 8,
  written_off: 9,
} as const satisfies Record<LoanStatus, number>;

const modes = { daily: "DAILY", weekly: "WEEKLY", monthly: "MONTHLY" } as const satisfies Record<TenorType, string>;
const intervals = { daily: "every day", weekly: "every week", monthly: "every month" } as const;

function presentDetails(loan: LoanRequest, view: LoanView, { merchantId }: Home): PresentedDetails {
  const { account, product, figures } = view;
  return {
    id: account.id,
    user_id: loan.applicant.id,
    merchant_id: merchantId,
    amount: nairaNumber(account.amount),
    tenor: account.tenor,
    tenor_type: "FLEXIBLE",
    status: statusNumbers[account.status],
    status_text: account.status,
    balance: nairaNumber(figures.balance),
    next_repayment_amount: nairaNumber(figures.nextRepaymentAmount),
    to_repay: nairaNumber(figures.toRepay),
    to_repay_when: intervals[account.tenorType],
    total_interest: nairaNumber(figures.totalInterest),
    interest_rate: ratePercent(view.rate),
    repayment_mode: modes[account.tenorType],
    total_repayment: nairaNumber(figures.totalRepayment),
    credit: nairaNumber(view.credit),
    ...presentDates(view),
    loan_type_detail: { id: product.id, name: product.name, description: product.description },
    user: presentUser(loan),
    repayment_schedules: presentRepaymentSchedule(view),
    schedules: presentPlan(view),
  };
}

type Dates = Pick<PresentedDetails, "next_due_date" | "approved_date" | "start_date" | "end_date">;

/**
 * Projected at approval and fixed at disbursement; a loan that was never approved has none. Once nothing is due any
 * more there is no next date: a program that reminds by it must not remind of a loan that is paid.
 */
function presentDates({ account, figures, endDate }: LoanView): Dates {
  const { approvedAt, disbursedAt } = account;
  if (approvedAt === null || endDate === null) {
    return { next_due_date: null, approved_date: null, start_date: null, end_date: null };
  }
  return {
    next_due_date: figures.nextDueDate === null ? null : presentDueDate(figures.nextDueDate),
    approved_date: approvedAt.toISOString(),
    start_date: (disbursedAt ?? approvedAt).toISOString(),
    end_date: presentDueDate(endDate),
  };
}

/** As they were sent with the request. */
function presentUser(loan: LoanRequest): PresentedDetails["user"] {
  return {
    id: loan.applicant.id,
    first_name: loan.firstName,
    last_name: loan.lastName,
    email: loan.email,
    account_number: loan.accountNumber,
    bvn: loan.applicant.bvn,
    phone_number: loan.phone,
  };
}
