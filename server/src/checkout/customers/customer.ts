/**
 * A customer buys from the merchant on credit. One BVN is one customer of an environment, however often the merchant
 * sends it; the numbers themselves (BVN and NIN) are sealed and never shown again.
 *
 *   pending ──▶ verified ◀──▶ failed
 *      └──────────────────────▲
 *
 * KYC: the identity provider is asked whether the numbers belong to a person of this name and birthday. As long as it
 * cannot be asked the customer is pending and it is asked again by itself. An operator can decide otherwise, with a
 * reason, and that stands. Another name, birthday or NIN under a known BVN is a claim: it takes effect when the
 * register confirms it, and else changes nothing.
 *
 * A BVN is not a secret, so sending one proves nothing. The phone on record is where codes go; it changes only
 * when a code sent to it is answered, or when an operator says so (`contact-change.ts`).
 *
 * Nobody borrows before KYC is verified. Due instalments are charged to the default card.
 */
export const kycTransitions = {
  pending: ["verified", "failed"],
  verified: ["failed", "pending"],
  failed: ["verified", "pending"],
} as const satisfies Record<string, readonly string[]>;

export type KycStatus = keyof typeof kycTransitions;

/** The list counter of `GET /loans/bnpl/customers`. */
export const customerList = "customers";

export interface Customer {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** E.164, a mobile number: codes are sent to it. */
  readonly phone: string;
  readonly dateOfBirth: Temporal.PlainDate | null;
  readonly address: string | null;
  readonly externalId: string | null;
  readonly kycStatus: KycStatus;
  readonly kycReason: string | null;
  /** An operator has decided about the identity: no register's word changes that. */
  readonly kycByOperator: boolean;
  /** The card that due instalments are charged to; null when none is linked. */
  readonly defaultCardId: string | null;
  /** The phone under which that card was linked. */
  readonly cardPhone: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * Whether a linked card can back a new loan. One that was linked under an earlier phone goes on paying for the loans it
 * was given for, and nothing else.
 */
export function hasCardForLoans({ phone, cardPhone, defaultCardId }: Customer): boolean {
  return defaultCardId !== null && cardPhone === phone;
}

/** What a merchant says about a customer. */
export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** E.164. */
  readonly phone: string;
  readonly bvn: string;
  readonly nin: string | null;
  readonly dateOfBirth: Temporal.PlainDate | null;
  readonly address: string | null;
  readonly externalId: string | null;
}
