/**
 * Who works for a merchant. Owners ask people to join with a role, change roles and remove people; a removed person's
 * next request at the merchant is refused. A merchant always has an owner.
 *
 *   invited ──accept──▶ member ──remove──▶ gone        invited ──withdraw, seven days, another invitation──▶ void
 *
 * An invitation is a link, which the inviter hands over. So it proves nothing about who opens it: the inviter could. A
 * person who is here already must therefore be signed in to accept it, and an address that is new gets an account that
 * opens nothing but this merchant. When an operator lets the same address in later, what was set up by whoever joined
 * ends, and the operator's link decides who the person is (`vouchFor` in the store).
 */
import type { MerchantRole } from "./roles.ts";

export interface Member {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly role: MerchantRole;
  readonly since: Date;
  readonly twoFactorEnabled: boolean;
}

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: MerchantRole;
  readonly expiresAt: Date;
  /** Null when that person is gone. */
  readonly invitedBy: string | null;
}

export interface OpenInvitation {
  readonly id: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly email: string;
  readonly role: MerchantRole;
  /** The person who has the address, if there is one already. */
  readonly personId: string | null;
}
