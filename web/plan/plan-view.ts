/** What the server tells the page: at the door nothing of the customer, behind it everything. */
import type { Disclosure, SentCode, ShownCard } from "../shared/page-data.ts";

export interface DoorView {
  readonly environment: "SANDBOX" | "LIVE";
  readonly merchantName: string;
  /** A path of this server. */
  readonly merchantLogo: string | null;
  readonly code: SentCode | null;
  readonly now: string;
}

export interface Instalment {
  readonly number: number;
  readonly dueDate: string;
  /** With the late fee, if one was charged. */
  readonly amount: number;
  readonly lateFee: number;
  readonly paid: number;
  readonly balance: number;
  readonly status: "pending" | "partially_paid" | "paid" | "overdue";
}

/** The newest time that the card was asked. */
export interface Charge {
  readonly amount: number;
  readonly status: "processing" | "successful" | "failed";
  readonly kind: "collection" | "repayment";
  readonly startedAt: string;
  readonly reason: string | null;
  /** The bank's page, if the bank wants the customer to confirm it there. */
  readonly confirmUrl: string | null;
}

export interface Payment {
  readonly id: string;
  readonly amount: number;
  readonly paidAt: string;
  readonly channel: string;
  readonly card: { readonly brand: string; readonly last4: string } | null;
  readonly principal: number;
  readonly interest: number;
  readonly fees: number;
  readonly credit: number;
  readonly refunded: number;
  readonly status: "successful" | "reversed";
}

export interface PlanView {
  readonly reference: string;
  readonly status: string;
  readonly environment: "SANDBOX" | "LIVE";
  readonly merchantName: string;
  readonly merchantLogo: string | null;
  readonly orderReference: string | null;
  readonly customer: { readonly name: string; readonly firstName: string; readonly phone: string };
  readonly startedAt: string | null;
  readonly amount: number;
  readonly tenor: number;
  readonly interestRate: number;
  readonly annualRate: number;
  readonly totalInterest: number;
  readonly totalFees: number;
  readonly lateFees: number;
  readonly totalRepayment: number;
  readonly paid: number;
  readonly balance: number;
  readonly credit: number;
  readonly next: {
    readonly number: number;
    readonly amount: number;
    readonly dueDate: string;
    readonly isLate: boolean;
  } | null;
  /** What has fallen due and is not paid. */
  readonly due: number;
  /** What closes the plan today. */
  readonly settlement: number;
  readonly canPay: boolean;
  readonly schedule: readonly Instalment[];
  readonly card: ShownCard | null;
  readonly charge: Charge | null;
  /** Newest first. */
  readonly payments: readonly Payment[];
  readonly disclosure: Disclosure;
  /** When this visit ends. */
  readonly expiresAt: string;
  readonly now: string;
}
