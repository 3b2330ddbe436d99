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
 * A BVN is not a secret, so sending one proves nothing, not even together with the name and the birthday. What shows
 * that the customer owns it: the register has the phone on record, to which codes go; or a linked card is in the
 * customer's name; or an operator has looked. Until then the limit is the lowest and no loan is granted (ADR 0034).
 *
 * The phone on record changes only when a code sent to it is answered, or when an operator says so
 * (`contact-change.ts`). As long as nothing shows that its holder owns the BVN, the code goes to the register's phone.
 *
 * Nobody borrows before KYC is verified. Due instalments are charged to the default card.
 */
import type { EnvironmentKind } from "../../platform/database/database.ts";

export const kycTransitions = {
  pending: ["verified", "failed"],
  verified: ["failed", "pending"],
  failed: ["verified", "pending"],
} as const satisfies Record<string, readonly string[]>;

export type KycStatus = keyof typeof kycTransitions;

/** In rows of servers that did not ask for it, null. */
export type IdentityProof = "none" | "phone" | "card";

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
  /** What shows that this is the owner of the BVN. */
  readonly identityProof: IdentityProof | null;
  /** The card that due instalments are charged to; null when none is linked. */
  readonly defaultCardId: string | null;
  /** The phone under which that card was linked. */
  readonly cardPhone: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Whether something shows that the customer owns the BVN. A sandbox's earlier customers were never asked. */
export function isOwner(
  { identityProof, kycByOperator, kycStatus }: Pick<Customer, "identityProof" | "kycByOperator" | "kycStatus">,
  environment: EnvironmentKind,
): boolean {
  if (kycByOperator) return kycStatus === "verified";
  return identityProof === null ? environment === "SANDBOX" : identityProof !== "none";
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
