/**
 * A loan request is what a merchant sends for an applicant: who, how much, for how long, to which account. The loan
 * itself, with its terms, schedule and repayments, is a loan account of `lending`, whose id is the request's reference.
 *
 *   pending ──▶ approved ──▶ disbursed ──▶ active ◀──▶ overdue
 *      │           │                         │            │
 *      ├─▶ rejected└─▶ cancelled             └▶ completed ◀┤
 *      └─▶ cancelled                                       └─▶ written_off
 *
 * A sandbox decides and pays out by itself; live, an operator decides. The money goes out by a transfer: while it is
 * under way the request stays approved and cannot be cancelled, when it fails the request can be paid out again, and
 * when it succeeds the request becomes disbursed and at once, as a second move, active. Every move is a compare-and-set
 * in the transaction of its posting and its event.
 */
import type { Kobo } from "../money/kobo.ts";

export const loanTransitions = {
  pending: ["approved", "rejected", "cancelled"],
  approved: ["disbursed", "cancelled"],
  disbursed: ["active"],
  active: ["overdue", "completed"],
  overdue: ["active", "completed", "written_off"],
  completed: [],
  rejected: [],
  cancelled: [],
  written_off: [],
} as const satisfies Record<string, readonly string[]>;

export type LoanStatus = keyof typeof loanTransitions;

export const loanStatuses = Object.keys(loanTransitions) as LoanStatus[];

export const tenureTypes = ["daily", "weekly", "monthly"] as const;
export type TenureType = (typeof tenureTypes)[number];

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
  readonly reference: string;
  readonly applicant: Applicant;
  /** As they were sent with this request; the applicant's own may have changed since. */
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly email: string;
  readonly amount: Kobo;
  readonly tenure: number;
  readonly tenureType: TenureType;
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly bankName: string | null;
  readonly accountName: string | null;
  readonly status: LoanStatus;
  readonly version: number;
  readonly disbursementId: string | null;
  readonly disbursements: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function canMove(from: LoanStatus, to: LoanStatus): boolean {
  return (loanTransitions[from] as readonly string[]).includes(to);
}
