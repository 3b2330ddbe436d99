/** What the server tells the page. The server alone decides on which step the customer is. */
import type { Disclosure, SentCode, ShownCard } from "../shared/page-data.ts";

export interface Instalment {
  readonly number: number;
  readonly dueDate: string;
  readonly amountDue: number;
  readonly principal: number;
  readonly interest: number;
  readonly fees: number;
}

/** What a choice of months costs; the loan carries the same figures once it was made. */
export interface Plan {
  readonly tenor: number;
  /** Percent a month, flat. */
  readonly interestRate: number;
  /** Percent a year, with every fee. */
  readonly annualRate: number;
  readonly installmentAmount: number;
  readonly totalInterest: number;
  readonly totalFees: number;
  readonly totalRepayment: number;
  readonly schedule: readonly Instalment[];
}

/** What the customer ticks; the hash stands for all of the terms. */
export interface Agreement {
  readonly version: string;
  readonly statement: string;
  readonly termsHash: string;
}

export interface OrderItem {
  readonly name: string;
  readonly quantity: number;
  readonly amount: number;
}

export type Step = "offer" | "consent" | "card" | "processing" | "completed" | "expired" | "cancelled" | "not_eligible";

export interface CheckoutView {
  readonly id: string;
  readonly status: "open" | "completed" | "expired" | "cancelled";
  readonly step: Step;
  readonly environment: "SANDBOX" | "LIVE";
  readonly merchantName: string;
  /** A path of this server. */
  readonly merchantLogo: string | null;
  readonly orderReference: string;
  readonly amount: number;
  readonly items: readonly OrderItem[];
  readonly currency: string;
  /** Null until the code was right. */
  readonly customer: { readonly firstName: string; readonly phone: string } | null;
  readonly eligibility: {
    readonly eligible: boolean;
    readonly reasons: readonly { readonly code: string; readonly message: string }[];
    readonly minAmount: number;
    readonly maxAmount: number;
  };
  readonly offers: readonly Plan[];
  readonly loan: (Plan & { readonly id: string; readonly status: string }) | null;
  readonly disclosure: Disclosure;
  readonly agreement: Agreement | null;
  readonly consent: SentCode | null;
  readonly card: ShownCard | null;
  /** Where the finished page goes: decided by how it ended. */
  readonly returnUrl: string;
  readonly expiresAt: string;
  /** The server's clock, from which every countdown starts. */
  readonly now: string;
}
