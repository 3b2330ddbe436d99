/**
 * A loan account is money lent: its terms, its schedule, what was repaid. It does not know who asked for it; a loan
 * request or a checkout owns it, and is told of every change in the transaction that makes it (`Announce`).
 *
 *   pending ──▶ approved ──▶ disbursed ──▶ active ◀──▶ overdue ──▶ written_off
 *      ├─▶ rejected  └─▶ cancelled           └──▶ completed ◀──┘
 *      └─▶ cancelled
 *
 * `disbursed` is a moment: `active` follows in the same transaction. Two more moves undo what turned out not to have
 * happened: a completed loan is open again when a repayment is reversed, and a loan whose disbursement the bank sent
 * back is approved again.
 *
 * Nothing about a loan's money is stored but what happened: the plan, late fees, repayments, reductions, refunds. Every
 * figure and every posting follows from these (see `position/position.ts` and `loan-ledger.ts`).
 */
import { derivedAccountId } from "../../ledger/account.ts";
import type { Kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { CreditRefund, Reduction, Repayment } from "../position/repayment.ts";
import type { LoanTerms } from "../pricing/product.ts";

export const loanTransitions = {
  pending: ["approved", "rejected", "cancelled"],
  approved: ["disbursed", "cancelled"],
  disbursed: ["active"],
  active: ["overdue", "completed", "approved"],
  overdue: ["active", "completed", "written_off", "approved"],
  completed: ["active", "overdue"],
  rejected: [],
  cancelled: [],
  written_off: [],
} as const satisfies Record<string, readonly string[]>;

/** What the drawing of these states leaves open. */
export const wayBack =
  "A completed loan is open again when a repayment is reversed. A loan whose payment the bank sent back is approved again.";

export type LoanStatus = keyof typeof loanTransitions;

export function canMove(from: LoanStatus, to: LoanStatus): boolean {
  return (loanTransitions[from] as readonly string[]).includes(to);
}

/** Money is out: there is something to repay. */
export function isOpen(status: LoanStatus): boolean {
  return status === "active" || status === "overdue";
}

/** It was never paid out and never will be: nothing is owed of it. */
export function isAbandoned(status: LoanStatus): boolean {
  return status === "rejected" || status === "cancelled";
}

export type OwnerKind = "loan_request" | "checkout_loan";

export interface LoanAccount extends LoanTerms {
  readonly id: string;
  readonly owner: { readonly kind: OwnerKind; readonly id: string };
  readonly productId: string;
  readonly productVersion: number;
  readonly status: LoanStatus;
  /** Counts every change that is announced; what happened is ordered by it. */
  readonly version: number;
  /** Projected at approval, fixed at disbursement: a date in Lagos. */
  readonly startDate: Temporal.PlainDate | null;
  /** How many instalments have fallen due and had their interest posted as income. */
  readonly accrued: number;
  /** The version at which it was written off. */
  readonly writtenOffAt: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly approvedAt: Date | null;
  readonly disbursedAt: Date | null;
  /** When it was rejected, cancelled, completed or written off. */
  readonly closedAt: Date | null;
}

export type LoanChange =
  /** `account.status` is where it moved to. */
  | { readonly what: "moved"; readonly account: LoanAccount; readonly from: LoanStatus }
  | { readonly what: "repaid"; readonly account: LoanAccount; readonly repayment: Repayment }
  | { readonly what: "repayment_reversed"; readonly account: LoanAccount; readonly repayment: Repayment }
  | { readonly what: "credit_refunded"; readonly account: LoanAccount; readonly refund: CreditRefund }
  | { readonly what: "reduced"; readonly account: LoanAccount; readonly reduction: Reduction }
  | {
      readonly what: "late_fee_charged";
      readonly account: LoanAccount;
      readonly instalment: number;
      readonly amount: Kobo;
    };

/**
 * How an owner is told of changes, in their order: called in the transaction of the change, after its posting, when
 * reading the account shows it as it stands at this very step. `account.version` serves as the version of the resource.
 * Late fees of many loans may come in one call, because nobody tells them any further.
 */
export type Announce = (tx: Tx, changes: readonly LoanChange[]) => Promise<void>;

export const loanAccountResource = "loan_account";
/** The account from which loans are paid out and to which principal comes back; it never goes below zero. */
export function lenderFundingId(environmentId: string): string {
  return derivedAccountId(environmentId, "lender funding");
}
