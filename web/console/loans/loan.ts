/** What the console shows of a loan. The loans API writes snake_case, and so do these. */
export const loanStatuses = [
  "pending",
  "approved",
  "disbursed",
  "active",
  "overdue",
  "completed",
  "rejected",
  "cancelled",
  "written_off",
] as const;

export interface LoanRequest {
  readonly id: string;
  readonly amount: string;
  readonly tenure: number;
  readonly tenure_type: string;
  readonly bank_name: string | null;
  readonly account_number: string;
  readonly account_name: string | null;
  readonly reference: string;
  readonly status: (typeof loanStatuses)[number];
  readonly created_at: string;
  readonly daas_user: {
    readonly first_name: string;
    readonly last_name: string;
    readonly phone: string;
    /** Masked: the whole numbers are revealed one loan at a time. */
    readonly bvn: string;
    readonly nin: string;
  };
}

export interface Revealed {
  readonly bvn: string;
  readonly nin: string;
}

export interface Installment {
  readonly id: string;
  readonly installment_number: number;
  readonly due_date: string;
  readonly principal: number;
  readonly interest: number;
  readonly fees: number;
  readonly amount_due: number;
  readonly late_fee: number;
  readonly amount_paid: number;
  readonly balance: number;
  readonly status: string;
}

export interface LoanDetails {
  readonly balance: number;
  readonly next_repayment_amount: number;
  readonly to_repay: number;
  readonly total_interest: number;
  readonly total_repayment: number;
  readonly credit: number;
  readonly interest_rate: number;
  readonly next_due_date: string | null;
  readonly schedules: readonly Installment[];
}

export interface Loan {
  readonly loan_request: LoanRequest;
  readonly loan_details: LoanDetails | null;
}

/** Figures that the API explains. */
export const explained = [
  "to_repay",
  "balance",
  "next_repayment_amount",
  "total_interest",
  "total_repayment",
  "credit",
] as const;

export function borrowerOf({ daas_user: { first_name, last_name } }: LoanRequest): string {
  return `${first_name} ${last_name}`;
}

export interface Bar {
  readonly key: string;
  readonly number: number;
  /** Of the chart's height, in percent: what is paid, and what is not. */
  readonly paid: number;
  readonly open: number;
  readonly late: boolean;
}

/** Instalments as bars: the largest fills the chart. Percents are for drawing; the figures stand beside it. */
export function barsOf(schedule: readonly Installment[]): Bar[] {
  const whole = (item: Installment) => item.amount_due + item.late_fee;
  const largest = Math.max(...schedule.map(whole), 1);
  return schedule.map((item) => {
    const paid = Math.min(item.amount_paid, whole(item));
    return {
      key: item.id,
      number: item.installment_number,
      paid: (paid / largest) * 100,
      open: ((whole(item) - paid) / largest) * 100,
      late: item.status === "overdue",
    };
  });
}

export interface Overdue {
  readonly count: number;
  readonly sum: number;
  /** When the earliest of them was due. */
  readonly since: string | null;
}

export function overdueOf(schedule: readonly Installment[]): Overdue {
  const late = schedule.filter(({ status }) => status === "overdue");
  const kobo = late.reduce((sum, { balance }) => sum + BigInt(Math.round(balance * 100)), 0n);
  return { count: late.length, sum: Number(kobo) / 100, since: late[0]?.due_date ?? null };
}

/** The earliest instalment that is open and not late yet. */
export function nextDueOf(schedule: readonly Installment[]): Installment | undefined {
  return schedule.find(({ status, balance }) => status !== "overdue" && status !== "paid" && balance > 0);
}

/** What a borrower is asked for now: everything overdue, or else the next instalment. */
export function askedNow(schedule: readonly Installment[]): number {
  const { count, sum } = overdueOf(schedule);
  return count > 0 ? sum : (nextDueOf(schedule)?.balance ?? 0);
}

/** Money is out and not all back: only such a loan takes repayments. */
export function takesRepayments(status: string): boolean {
  return status === "active" || status === "overdue";
}

const mostRows = 12;

/** Of a long schedule: the last row that is paid, and what follows. */
export function rowsInBrief(schedule: readonly Installment[]): readonly Installment[] {
  if (schedule.length <= mostRows) return schedule;
  const firstOpen = schedule.findIndex(({ status }) => status !== "paid");
  const from = Math.min(Math.max(0, firstOpen - 1), schedule.length - mostRows);
  return schedule.slice(from, from + mostRows);
}
