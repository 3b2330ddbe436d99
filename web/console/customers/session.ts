/** One order on its way through the hosted checkout. The checkout API writes snake_case, and so does this. */
export const sessionStatuses = ["open", "completed", "expired", "cancelled"] as const;

export interface CheckoutSession {
  readonly id: string;
  /** Lets anybody act as the customer: copied, never shown. Null in lists, and once the session has ended. */
  readonly url: string | null;
  readonly status: (typeof sessionStatuses)[number];
  readonly customer_id: string;
  readonly loan_id: string | null;
  readonly order_reference: string;
  readonly amount: number;
  readonly items: readonly { readonly name: string; readonly quantity: number; readonly amount: number }[];
  readonly bank_account_no: string;
  readonly bank_code: string;
  readonly expires_at: string;
  readonly created_at: string;
}
