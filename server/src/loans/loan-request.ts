/**
 * A loan request is what a merchant sends for an applicant: who, how much, for how long, to which account. The loan
 * itself, with its terms, states, schedule and repayments, is a loan account of `lending` (`accountId`), whose id the
 * API calls the request's reference. The request carries a copy of the account's state, written in the transaction of
 * each move.
 *
 *   pending ──▶ approved ──▶ disbursed ──▶ active ◀──▶ overdue ──▶ written_off
 *      ├─▶ rejected  └─▶ cancelled           └──▶ completed ◀──┘
 *      └─▶ cancelled
 *
 * A sandbox decides and pays out by itself; live, an operator decides. The money goes out by a transfer: while it is
 * under way the request stays approved and cannot be cancelled, when it fails the request can be paid out again, and
 * when it succeeds the request becomes disbursed and at once, as a second move, active.
 */
import type { LoanStatus } from "../lending/account/loan-account.ts";
import type { TenorType } from "../lending/pricing/product.ts";
import type { Kobo } from "../money/kobo.ts";

export const loanResource = "loan";
/** The list counter of `GET /loans`. */
export const loanList = "loan_requests";

export interface Applicant {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly email: string;
  readonly nin: string;
  readonly bvn: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface LoanRequest {
  readonly id: string;
  /** The id of the loan account. */
  readonly accountId: string;
  readonly applicant: Applicant;
  /** As they were sent with this request; the applicant's own may have changed since. */
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly email: string;
  readonly amount: Kobo;
  readonly tenor: number;
  readonly tenorType: TenorType;
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly bankName: string | null;
  readonly accountName: string | null;
  readonly status: LoanStatus;
  readonly disbursementId: string | null;
  readonly disbursements: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
