/** The loan account in the words of the specification. */
import type { LoanStatus } from "../lending/loan-account.ts";
import { ratePercent, type TenorType } from "../lending/product.ts";
import type { LoanView } from "../lending/read-loan-account.ts";
import { presentDueDate, presentPlan, presentRepaymentSchedule } from "../lending/schedule-on-wire.ts";
import { nairaNumber } from "../money/kobo.ts";
import type { LoanRequest } from "./loan-request.ts";
import type { Home } from "./present-request.ts";
import type { PresentedDetails } from "./schemas.ts";

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

export function presentDetails(loan: LoanRequest, view: LoanView, { merchantId }: Home): PresentedDetails {
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

/** Projected at approval and fixed at disbursement; a loan that was never approved has none. */
function presentDates({ account, figures, endDate }: LoanView): Dates {
  const { approvedAt, disbursedAt } = account;
  if (approvedAt === null || endDate === null) {
    return { next_due_date: null, approved_date: null, start_date: null, end_date: null };
  }
  return {
    // When everything is paid, the last date there was.
    next_due_date: presentDueDate(figures.nextDueDate ?? endDate),
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
