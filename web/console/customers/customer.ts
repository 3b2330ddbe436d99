/** A person who buys on credit. The checkout API writes snake_case, and so does this. */
import type { Installment } from "../loans/loan.ts";

export interface Customer {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly phone: string;
  readonly external_id: string | null;
  readonly kyc_status: string;
  readonly has_linked_card: boolean;
  readonly created_at: string;
}

export interface Eligibility {
  readonly eligible: boolean;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
  readonly min_amount: number;
  readonly max_amount: number;
  readonly tenors: readonly { readonly tenor: number; readonly interest_rate: number }[];
}

export interface CheckoutLoan {
  readonly id: string;
  readonly amount: number;
  readonly balance: number;
  readonly tenor: number;
  readonly status: string;
  readonly next_due_date: string | null;
}

/** The loan as its own page reads it. */
export interface CheckoutLoanRecord extends CheckoutLoan {
  readonly customer_id: string;
  readonly reference: string;
  readonly interest_rate: number;
  readonly total_interest: number;
  readonly total_repayment: number;
  readonly installment_amount: number;
  readonly credit: number;
  readonly bank_account_no: string;
  readonly bank_name: string;
  readonly account_name: string;
  readonly requirements: readonly { readonly type: string; readonly status: string }[];
  readonly schedules: readonly Installment[];
  readonly created_at: string;
}

export interface Card {
  readonly id: string;
  readonly brand: string;
  readonly last4: string;
  readonly exp_month: number;
  readonly exp_year: number;
}

export function nameOf({ first_name, last_name }: Pick<Customer, "first_name" | "last_name">): string {
  return `${first_name} ${last_name}`;
}
