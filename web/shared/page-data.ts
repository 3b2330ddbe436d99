/** What the server tells several pages in the same words. */

/** What must be said about a loan, besides its figures. */
export interface Disclosure {
  readonly lender: { readonly name: string; readonly registration: string; readonly isSample: boolean };
  readonly lateFee: string;
  readonly conditions: readonly string[];
  readonly complaints: string;
}

/** A code on its way to the customer's phone. */
export interface SentCode {
  readonly sentAt: string;
  readonly expiresAt: string;
  readonly resendAt: string;
  readonly attemptsRemaining: number;
}

export interface ShownCard {
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
}
